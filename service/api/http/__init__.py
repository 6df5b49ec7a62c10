"""The parts of all requests and responses: bodies, problems, request ids, entity tags, `/docs`."""
