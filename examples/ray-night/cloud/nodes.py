"""The nodes of one cluster. Prints its address, and for each line of input how many nodes are alive."""
import sys

import ray
from ray.cluster_utils import Cluster

count, cpus = map(int, sys.argv[1:])
node = {"num_cpus": cpus, "object_store_memory": 100 * 1024 * 1024}
cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
for _ in range(count - 1):
    cluster.add_node(**node)
ray.init(cluster.address, log_to_driver=False)
print(cluster.address, flush=True)
for _ in sys.stdin:
    print(sum(one["Alive"] for one in ray.nodes()), flush=True)
ray.shutdown()
cluster.shutdown()
