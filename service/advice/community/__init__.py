"""What a hand is worth while dice are still hidden: for games with pocket and community dice."""
