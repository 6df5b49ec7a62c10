"""A deterministic simulation of sessions over a faulty store, network and clock."""
