"""The fields and schemas that all requests and responses share."""
