"""HTTP and nothing else: views, schemas derived from the variants, problems, the contract."""
