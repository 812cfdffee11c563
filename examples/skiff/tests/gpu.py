"""Runs where a GPU worker is: is there a driver at all?"""

import json
import os
from pathlib import Path

driver = Path("/proc/driver/nvidia/version").read_text().splitlines()[0]
Path(os.environ["OUT"], "gpu.json").write_text(json.dumps({"driver": driver}))
