import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'slipway-copy-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Makes the venv of a checkout with a Python that makes nothing, so that making ends after the old one was removed. */
function makeVenv(): string {
  write('bin/python3', '#!/bin/sh\ncase "$1" in -c) echo 3.11 ;; *) exit 1 ;; esac\n');
  chmodSync(join(root, 'bin', 'python3'), 0o755);
  const script = `import(${JSON.stringify(join(ROOT, 'tools/start/venv.mjs'))})
    .then(({ venv }) => venv(${JSON.stringify(root)}).make({ title: 'venv', onLine: () => undefined }))
    .catch((error) => console.log(error.message));`;
  const env = { PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}` };
  return spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8', env }).stdout;
}

test('given a copied checkout, when its venv is made again, then servers and venvs of other parts stay, and the old venv goes', () => {
  const others = ['go/bin/versitygw', 'go/bin/temporal-server', 'go/bin/.slipway-stamp', 'ray/bin/ray'];
  const old = ['bin/uv', 'lib/python3.11/site-packages/x.py', 'pyvenv.cfg', '.slipway-stamp'];
  for (const path of [...others, ...old]) write(`.tools/${path}`);
  write('tools/requirements.txt', 'uv==1\n');
  expect(makeVenv()).toContain('venv');
  const there = (path: string): boolean => existsSync(join(root, '.tools', path));
  expect([others.filter(there), old.filter(there)]).toEqual([others, []]);
});
