"""The operation `batch`: many hands in one request, as JSON, NDJSON or an Arrow stream."""
