"""HTTP and nothing else: routes, views, request and response schemas, and errors as problems."""
