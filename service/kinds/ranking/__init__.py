"""Games that rank rolls of plain dice."""
