import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAKE_WHEEL } from './tiny-projects.js';

/** A source whose own backend makes its pure wheel, and needs nothing.
 * @param before lines of Python that the backend runs first */
export function anSdist(name: string, version = '1.0', before = ''): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-sdist-'));
  const top = `${name}-${version}`;
  mkdirSync(join(folder, top));
  const backend = `import os, subprocess, sys
${before}
def get_requires_for_build_wheel(settings=None): return []
def build_wheel(out, settings=None, metadata=None):
    subprocess.run([sys.executable, 'make-wheel.py', out, '${name}', '${version}', 'answer = 1'], check=True)
    return '${top}-py3-none-any.whl'
`;
  const project = `[build-system]\nrequires = []\nbuild-backend = "own"\nbackend-path = ["."]\n`;
  const files = { 'pyproject.toml': project, 'own.py': backend, 'make-wheel.py': MAKE_WHEEL };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, top, path), text);
  const file = join(folder, `${top}.tar.gz`);
  execFileSync('tar', ['-C', folder, '--mtime=@1600000000', '-czf', file, top]);
  return readFileSync(file);
}
