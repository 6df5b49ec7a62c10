"""Rankings, such as poker dice: rolls of plain dice in order of rank, and rounds for chips."""
