import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Interpreter } from '../../activities/pythons/ports.js';

const PROBE = String.raw`
import json, os, platform, sys, sysconfig
impl = {"CPython": "cp", "PyPy": "pp"}.get(platform.python_implementation(), sys.implementation.name)
free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
header = os.path.join(sysconfig.get_paths()["include"], "Python.h")
print(json.dumps({
  "tag": "%s%d%d%s" % (impl, sys.version_info[0], sys.version_info[1], free),
  "version": platform.python_version(), "path": os.path.realpath(sys.executable), "prefix": sys.base_prefix,
  "headers": os.path.exists(header), "ldshared": sysconfig.get_config_var("LDSHARED") or "",
}))
`;
const LIMIT_MS = 20_000;

export async function probe(path: string): Promise<Interpreter | null> {
  try {
    const { stdout } = await promisify(execFile)(path, ['-I', '-c', PROBE], { timeout: LIMIT_MS, env: {} });
    return JSON.parse(stdout) as Interpreter;
  } catch {
    return null;
  }
}
