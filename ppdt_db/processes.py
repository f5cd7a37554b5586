"""Whether a process of this machine still runs: what a dead one left may be removed."""

import os


def is_running(pid: int) -> bool:
    """Whether a process of that number runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
