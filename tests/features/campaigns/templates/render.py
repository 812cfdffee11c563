"""Writes renderings.json: each case and each template of this folder as Jinja2 renders it; null where it fails.

Run it in a virtual environment with jinja2 3.1.6 and PyYAML 6.0.3: python tests/features/campaigns/templates/render.py
"""
import json
import pathlib

import jinja2
import jinja2.filters
import yaml

HERE = pathlib.Path(__file__).parent


def raise_exception(message):
    raise ValueError(message)


# Upstream reads the environment; a reference stands for its value here.
jinja2.filters.FILTERS["or_env"] = lambda value, attribute=None: value or f"${attribute}"
jinja2.filters.FILTERS["raise_exception"] = raise_exception
jinja2.filters.FILTERS["log_warning"] = lambda message: None


def rendered(template, config):
    try:
        return jinja2.Template(template).render(config)
    except Exception:
        return None


config = yaml.safe_load((HERE / "config.yaml").read_text())
cases = json.loads((HERE / "cases.json").read_text())
cases += [path.read_text() for path in sorted(HERE.glob("*.j2"))]
rows = [[template, rendered(template, config)] for template in cases]
(HERE / "renderings.json").write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
