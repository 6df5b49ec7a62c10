"""Files of hands, scored at the command line."""
