"""Files of hands made into files of answers: `python -m service score`."""
