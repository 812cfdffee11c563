"""Ray's own check of a release: the version, the commit, and one task."""

import ray

assert ray.square_sum(0, 4) == 14
print("ray", ray.__version__, ray.__commit__, "ok")
