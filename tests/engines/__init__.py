"""The service in engines for many machines."""
