"""The parts of all requests and responses: bodies, constants, problems, request ids, entity tags,
`/docs`.
"""
