"""A task that asks for one GPU and says what it got."""

import json

import ray

ray.init()
json.dump(ray.get(ray.remote(num_gpus=1)(ray.get_gpu_ids).remote()), open("gpu.json", "w"))
