"""One remote task, and the commit that was released."""

import ray

ray.init()
print("ray", ray.__version__, ray.__commit__, ray.get(ray.remote(lambda: "ok").remote()))
