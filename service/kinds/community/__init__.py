"""Games with hidden pocket dice and shared community dice."""
