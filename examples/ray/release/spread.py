"""Shares tasks over all nodes until each has done one. With --kill one node is killed while it holds a task, and another does that task."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import ray

folder = Path(os.environ["RAY_ADDRESS"])
asked: set[str] = set()
assert ray.__commit__ == os.environ["COMMIT"], f"the wheel says {ray.__commit__}"


def pids() -> dict[str, int]:
    return {node.stem: int(node.read_text()) for node in folder.glob("*.node")}


def submit(begin: int) -> int:
    for first in range(begin, begin + 30):
        asked.add(f"{first}-{first + 2}")
        (folder / f"{first}-{first + 2}.task").touch()
    return begin + 30


def results() -> dict[str, dict]:
    return {done.stem: json.loads(done.read_text()) for done in folder.glob("*.done")}


def kill_one() -> tuple[str, str]:
    """Kills a node that holds a task. Returns both."""
    sent = submit(0)
    while True:
        for task in folder.glob("*.node[0-9]*"):
            node = task.suffix[1:]
            os.kill(pids()[node], signal.SIGSTOP)
            while Path(f"/proc/{pids()[node]}/stat").read_text().split()[2] != "T":
                pass
            if task.exists() and not task.with_suffix(".done").exists():
                os.kill(pids()[node], signal.SIGKILL)
                return node, task.stem
            os.kill(pids()[node], signal.SIGCONT)
        if len(results()) == sent:
            sent = submit(sent)


nodes = set(pids())
killed, task = kill_one() if "--kill" in sys.argv else (None, None)
sent = submit(1000)
while True:
    pending = [*folder.glob("*.task"), *(held for node in nodes for held in folder.glob(f"*.{node}"))]
    done = results()
    if not pending and done.keys() >= asked:  # the look for pending tasks misses one that the head renames meanwhile
        if {one["node"] for one in done.values()} >= nodes - {killed}:
            break
        sent = submit(sent)
    time.sleep(0.02)

for name, one in done.items():
    first, last = map(int, name.split("-"))
    assert one["sum"] == sum(number * number for number in range(first, last)), name
assert task is None or done[task]["node"] != killed, "the node that was killed did its task"
Path(os.environ["TEST_OUTPUT_JSON"]).write_text(json.dumps({"tasks": len(done), "nodes": len(nodes), "killed": killed}))
print("ray", ray.__version__, len(nodes), "nodes", "ok" if killed is None else "one killed, ok")
