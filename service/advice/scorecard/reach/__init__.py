"""The chance of a final card to reach a target: exact with few open boxes, otherwise estimated."""
