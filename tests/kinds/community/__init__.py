"""Games with pocket and community dice."""
