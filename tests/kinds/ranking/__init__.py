"""Games that rank rolls."""
