"""The service in libraries for data frames."""
