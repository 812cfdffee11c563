"""Works without an end, and writes its result each second."""
import argparse
import json
import os
import time

import ray

parser = argparse.ArgumentParser()
parser.add_argument("--stop-after", type=float, default=float("inf"), help="seconds after which it writes no more")
args = parser.parse_args()


@ray.remote
class Counter:
    def __init__(self):
        self.count = 0

    def next(self):
        self.count += 1
        return self.count


ray.init()
counter = Counter.remote()
begun = time.monotonic()
while True:
    count = ray.get(counter.next.remote())
    if time.monotonic() - begun < args.stop_after:
        with open(os.environ["TEST_OUTPUT_JSON"] + ".new", "w") as file:
            json.dump({"count": count, "last_update": time.time()}, file)
        os.replace(file.name, os.environ["TEST_OUTPUT_JSON"])
    time.sleep(1)
