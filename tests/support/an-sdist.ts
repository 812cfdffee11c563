import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAKE_WHEEL } from './tiny-projects.js';

/** A source whose own backend makes its wheel, and needs nothing. */
export function anSdist(name: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-sdist-'));
  const top = join(folder, `${name}-1.0`);
  mkdirSync(top);
  const backend = `import subprocess, sys
def get_requires_for_build_wheel(settings=None): return []
def build_wheel(out, settings=None, metadata=None):
    subprocess.run([sys.executable, 'make-wheel.py', out, '${name}', '1.0', 'answer = 1'], check=True)
    return '${name}-1.0-py3-none-any.whl'
`;
  const project = `[build-system]\nrequires = []\nbuild-backend = "own"\nbackend-path = ["."]\n`;
  const files = { 'pyproject.toml': project, 'own.py': backend, 'make-wheel.py': MAKE_WHEEL };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(top, path), text);
  const file = join(folder, `${name}-1.0.tar.gz`);
  execFileSync('tar', ['-C', folder, '--mtime=@1600000000', '-czf', file, `${name}-1.0`]);
  return readFileSync(file);
}
