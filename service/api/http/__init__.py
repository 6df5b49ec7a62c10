"""What all requests and responses share: bodies, problems, request ids, entity tags, `/docs`."""
