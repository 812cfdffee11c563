"""Runs tasks on all nodes for a while. Ray runs the tasks of a lost node again, so a node may be killed meanwhile.

After a loss it runs tasks on the nodes that are left, for a shorter while."""
import argparse
import os
import signal
import time

import ray

parser = argparse.ArgumentParser()
parser.add_argument("--seconds", type=float, required=True, help="it ends sooner after a loss")
parser.add_argument("--kill-a-node", action="store_true", help="only where nodes are processes beside this one")
args = parser.parse_args()
# Whoever counts the nodes from outside sees the loss in this time.
SECONDS_AFTER_LOSS = 10


@ray.remote(num_cpus=1, max_retries=-1, scheduling_strategy="SPREAD")
def square(number):
    time.sleep(0.2)
    return number * number


def kill_a_node(head):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with open(f"/proc/{pid}/cmdline") as file:
            program, *flags = file.read().split("\0")
        if program.endswith("/raylet") and f"--node_ip_address={head}" not in flags:
            print(f"killing node {[flag for flag in flags if flag.startswith('--node_ip_address')]}", flush=True)
            os.kill(int(pid), signal.SIGKILL)
            return
    raise SystemExit("there is no node to kill")


def alive():
    return sum(node["Alive"] for node in ray.nodes())


ray.init()
begun, nodes, rounds = time.monotonic(), alive(), 0
until = begun + args.seconds
print(f"{nodes} nodes", flush=True)
while time.monotonic() < until:
    assert ray.get([square.remote(number) for number in range(6)]) == [0, 1, 4, 9, 16, 25]
    rounds += 1
    if rounds == 5 and args.kill_a_node:
        kill_a_node(ray.util.get_node_ip_address())
    if alive() != nodes:
        nodes = alive()
        until = min(until, time.monotonic() + SECONDS_AFTER_LOSS)
        print(f"{nodes} nodes after {time.monotonic() - begun:.0f} s", flush=True)
print(f"{rounds} rounds of tasks, all of them right", flush=True)
