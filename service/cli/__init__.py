"""The commands: score files, verify dice, check health."""
