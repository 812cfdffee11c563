"""A miniature of Ray: `ray start`, nodes that register, and tasks that they share."""

from ray._version import commit as __commit__
from ray._version import version as __version__
from ray._raylet import square_sum

__all__ = ["__commit__", "__version__", "square_sum"]
