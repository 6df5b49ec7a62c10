"""The fields and schemas that several operations share."""
