"""Hands and responses as streams of Arrow record batches (Arrow's IPC format), without pyarrow.

`flatbuffers` encodes the metadata of Arrow's messages, and NumPy holds their bodies. Of Arrow's
types only those of hands and responses are here: pyarrow has 170 MB, and smaller libraries crash on
streams whose metadata is wrong.
"""
