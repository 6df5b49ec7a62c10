"""What the service counts and measures: right across its workers, and after the death of some.

Each worker process adds to its own part of a memory map that all of them share, so adding takes no
system call and no lock between processes. A scrape adds up the parts.

- `declared`: every metric, with its labels and meaning.
- `instruments`: counters, gauges and histograms, the memory map, and the formats of a scrape.
"""
