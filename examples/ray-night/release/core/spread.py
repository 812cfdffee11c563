"""Runs a task on each of three nodes. Fails if the cluster has fewer."""
import ray
from ray.util.placement_group import placement_group
from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

NODES = 3
SECONDS = 120

ray.init()
group = placement_group([{"CPU": 1}] * NODES, strategy="STRICT_SPREAD")
ray.get(group.ready(), timeout=SECONDS)


@ray.remote(num_cpus=1)
def node():
    return ray.get_runtime_context().get_node_id()


places = [PlacementGroupSchedulingStrategy(group, placement_group_bundle_index=at) for at in range(NODES)]
nodes = set(ray.get([node.options(scheduling_strategy=place).remote() for place in places]))
print(f"tasks ran on {len(nodes)} nodes")
assert len(nodes) == NODES
