"""Runs tasks on all nodes. Fails if fewer than three nodes ran one."""
import ray

ray.init()


@ray.remote(num_cpus=1, scheduling_strategy="SPREAD")
def node():
    return ray.get_runtime_context().get_node_id()


nodes = set()
for _ in range(20):
    nodes |= set(ray.get([node.remote() for _ in range(6)]))
    if len(nodes) >= 3:
        break
print(f"tasks ran on {len(nodes)} nodes")
assert len(nodes) >= 3
