"""Faults, again and again, against real processes: what clients and stores do wrong. `make faults`.

The tests open thousands of connections, so this process is allowed as many files as it may be.
"""

import resource

_SOFT, _HARD = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (_HARD, _HARD))
