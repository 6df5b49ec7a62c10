"""The whole contract against a live service, with thousands of generated requests."""
