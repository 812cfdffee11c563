import json, os, ray

ray.init()


@ray.remote
def square(number):
    return number * number


nodes = len([node for node in ray.nodes() if node["Alive"]])
total = sum(ray.get([square.remote(number) for number in range(100)]))
with open(os.environ["TEST_OUTPUT_JSON"], "w") as file:
    json.dump({"total": total, "nodes": nodes}, file)
