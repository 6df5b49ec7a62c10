"""The contract, OpenAPI 3.1: the code that generates it, and the generated files."""
