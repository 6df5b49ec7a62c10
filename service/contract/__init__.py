"""What writes `openapi.yaml`."""
