"""Faults, again and again, against real processes: what clients and stores do wrong. `make faults`."""
