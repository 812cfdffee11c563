"""The reference of the bench's part `import`: PyYAML and the merge rules of Ray's files, in as few lines as they need."""
import itertools
import json
import os
import re
import sys
import time

import yaml

root, files = sys.argv[1], sys.argv[2:]
begun = time.perf_counter()


def update(base, over):
    result = dict(base)
    for key, value in over.items():
        before = result.get(key)
        result[key] = update(before if isinstance(before, dict) else {}, value) if isinstance(value, dict) else value
    return result


def fill(value, name, text):
    if isinstance(value, dict):
        return {key: fill(one, name, text) for key, one in value.items()}
    if isinstance(value, list):
        return [fill(one, name, text) for one in value]
    pattern = r"\{\{\s*" + re.escape(name) + r"\s*\}\}"
    return re.sub(pattern, lambda _: text, value) if isinstance(value, str) else value


def tests_of(definitions):
    defaults = {}
    for definition in definitions:
        if definition["name"] == "DEFAULTS":
            defaults = definition
            continue
        test = update(defaults, definition)
        matrix, variations = test.pop("matrix", None), test.pop("variations", None)
        for one in variations or []:
            name = f'{test["name"]}.{one.pop("__suffix__")}'
            yield update({**test, "name": name}, one)
        if matrix:
            rows = [dict(zip(matrix["setup"], row)) for row in itertools.product(*matrix["setup"].values())]
            for row in rows + [one["with"] for one in matrix.get("adjustments", [])]:
                filled = test
                for name, value in row.items():
                    filled = fill(filled, name, str(value))
                yield filled
        if not matrix and not variations:
            yield test


tests = []
for file in files:
    with open(os.path.join(root, file)) as text:
        tests += tests_of(yaml.safe_load(text))
for path in {(one["working_dir"], one["cluster"]["cluster_compute"]) for one in tests}:
    folder = path[0].lstrip("/") if path[0].startswith("//") else os.path.join("release", path[0])
    with open(os.path.normpath(os.path.join(root, folder, path[1]))) as text:
        yaml.safe_load(re.sub(r"\{\{.*?\}\}", "x", text.read()))
json.dump(tests, sys.stdout)
# Without the start of the interpreter and its imports.
print((time.perf_counter() - begun) * 1000, file=sys.stderr)
