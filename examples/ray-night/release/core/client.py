"""Runs tasks through Ray's client: RAY_ADDRESS is ray://…"""
import os

import ray

assert os.environ["RAY_ADDRESS"].startswith("ray://")
ray.init()


@ray.remote
def square(number):
    return number * number


total = sum(ray.get([square.remote(number) for number in range(10)]))
print(f"sum of squares {total}")
assert total == 285
