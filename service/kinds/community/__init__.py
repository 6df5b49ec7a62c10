"""Community rankings, such as Texas Hold'em: pocket and community dice, betting and pots."""
