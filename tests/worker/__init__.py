"""How connections are served, over real ones."""
