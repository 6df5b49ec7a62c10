"""compose.yaml and deploy/, checked against their schemas and run as far as no engine is needed."""
