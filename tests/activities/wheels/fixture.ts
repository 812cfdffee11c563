import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import { createCompileLock } from '../../../src/features/locks/node/compile-lock.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { createInterpreters } from '../../../src/adapters/python/interpreters.js';
import type { Params } from '../../../src/model/params.js';
import type { Result } from '../../../src/model/result.js';
import { aPlatform } from '../../support/a-platform.js';
import { aResult, aStep, anArtifact, runBody } from '../../support/run-body.js';

const ports = { archives: createArchives(), interpreters: createInterpreters(), containers: null };
export const bodies = {
  ...makeBodies(['proveQueue', 'fetchSource', 'takeSdist', 'buildSdist', 'prepareSource', 'buildWheel'], ports),
  compileLock: createCompileLock(ports),
};
export const EPOCH = '1700000000';
export const HOST = { env: {}, folder: '.', where: { in: 'host' as const } };

const WRITE_TAR = `
import io, json, sys, tarfile
tar = tarfile.open(sys.argv[1], "w:gz")
for name, text in json.load(sys.stdin).items():
    info = tarfile.TarInfo("skiff-1.2/" + name); info.size = len(text.encode()); info.mtime = 1600000000
    tar.addfile(info, io.BytesIO(text.encode()))
tar.close()
`;

/** The result of a source step that fetched an sdist of these files. */
export async function aSource(home: string, files: Readonly<Record<string, string>>): Promise<Result> {
  const path = join(mkdtempSync(join(tmpdir(), 'slipway-sdist-')), 'skiff-1.2.tar.gz');
  execFileSync('python3', ['-c', WRITE_TAR, path], { input: JSON.stringify(files) });
  const artifact = await anArtifact(home, 'skiff-1.2.tar.gz', readFileSync(path), { kind: 'sdist' });
  return aResult({ id: 'source', kind: 'fetchSource' }, { artifacts: [artifact], facts: { epoch: Number(EPOCH) } });
}

/** A small project with one C extension; setuptools makes it. */
export const C_PROJECT: Readonly<Record<string, string>> = {
  'pyproject.toml': '[build-system]\nrequires = ["setuptools>=61"]\nbuild-backend = "setuptools.build_meta"\n',
  'setup.py': `from setuptools import Extension, setup
setup(name="skiff", version="1.2", packages=["skiff"], ext_modules=[Extension("skiff._sail", ["sail.c"])])
`,
  'skiff/__init__.py': 'commit = "1.2"\n',
  'sail.c': `#include <Python.h>
static struct PyModuleDef sail = { PyModuleDef_HEAD_INIT, "_sail", 0, -1, 0 };
PyMODINIT_FUNC PyInit__sail(void) { return PyModule_Create(&sail); }
`,
};

export const wheelStep = (more: Partial<Params['buildWheel']> = {}) =>
  aStep('buildWheel', {
    ...HOST,
    run: null,
    project: 'skiff',
    version: '1.2',
    builder: 'uv',
    python: 'cp312',
    interpreter: more.python ?? 'cp312',
    for: aPlatform(),
    everywhere: false,
    cross: null,
    overlay: null,
    outputs: [],
    repair: { exclude: [] },
    commit: null,
    accept: {},
    ...more,
  });

/** A shell line that writes a wheel by hand, with what a test wants to be wrong in it. A text `@FILE x` is the bytes of the file x. */
export const handmade = (
  files: Readonly<Record<string, string>>,
  tag = 'py3-none-any',
  record = true,
): string => `python - <<'END'
import base64, hashlib, json, os, zipfile
files = json.loads(${JSON.stringify(JSON.stringify(files))})
bytes_of = lambda text: open(text[6:], "rb").read() if text.startswith("@FILE ") else text.replace("@HERE@", os.getcwd()).encode()
files = {name: bytes_of(text) for name, text in files.items()}
files["skiff-1.2.dist-info/METADATA"] = b"Metadata-Version: 2.1\\nName: skiff\\nVersion: 1.2\\n"
files["skiff-1.2.dist-info/WHEEL"] = b"Wheel-Version: 1.0\\nGenerator: hand\\nRoot-Is-Purelib: true\\nTag: ${tag}\\n"
def row(name, text):
    return "%s,sha256=%s,%d" % (name, base64.urlsafe_b64encode(hashlib.sha256(text).digest()).decode().rstrip("="), len(text))
rows = [row(name, text) for name, text in files.items()] + ["skiff-1.2.dist-info/RECORD,,"]
files["skiff-1.2.dist-info/RECORD"] = "\\n".join(rows${record ? '' : '[1:]'}) + "\\n"
with zipfile.ZipFile("{out}/skiff-1.2-${tag}.whl".replace("{out}", os.environ["OUT"]), "w") as wheel:
    for name, text in files.items():
        wheel.writestr(name, text)
END`;

/** A locked build environment with setuptools. */
export async function aLock(home: string, python: string): Promise<Result> {
  const step = aStep('compileLock', {
    name: 'build',
    tool: 'uv',
    python,
    for: aPlatform(),
    requires: ['setuptools>=61'],
    in: [],
    constraints: [],
    cutoff: '2026-11-01T00:00:00Z',
    drift: null,
  });
  return (await runBody(bodies.compileLock, step, { home })).result;
}
