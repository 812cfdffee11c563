/** @needs tools */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Connection, Item, Session } from '../../../src/activities/publish/ports.js';
import { twineUpload } from '../../../src/adapters/index/twine.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';
import { newHome } from '../../support/run-body.js';

// Nobody listens there.
const TO = { name: 'shelf', address: 'http://127.0.0.1:9/', username: 'a', password: 'b' } as Connection;

/** Uploads the file with the real twine. Returns the problem. */
async function refused(path: string) {
  const lines: string[] = [];
  const session = {
    folder: dirname(path),
    env: (extra = {}) => ({ PATH: process.env['PATH'] ?? '', ...extra }),
    fetch: () => Promise.resolve(path),
    exec: ([program, ...args]: readonly string[], { env }: { readonly env: Record<string, string> }) => {
      const { status, stdout, stderr } = spawnSync(program!, args, { env, encoding: 'utf8' });
      lines.push(...`${stdout}${stderr}`.trim().split('\n'));
      return Promise.resolve({ code: status, timedOut: false });
    },
    log: { write: () => undefined, tail: (most: number) => lines.slice(-most) },
  } as unknown as Session;
  const upload = twineUpload(TO, session, [{ artifact: {}, name: 'it' } as Item]);
  return ((await upload.catch((error: unknown) => error)) as SlipwayFailure).first;
}

/** Returns an sdist of these files. */
function sdist(home: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, 'skiff-1.0', path)), { recursive: true });
    writeFileSync(join(home, 'skiff-1.0', path), text);
  }
  const file = join(home, 'skiff-1.0.tar.gz');
  expect(spawnSync('tar', ['-czf', file, '-C', home, 'skiff-1.0']).status).toBe(0);
  return file;
}

test.each(['skiff-1.0-py3-none-any.whl', 'skiff-1.0.tar.gz'])(
  'given %s that is not an archive, then the file is refused as a fault of the project',
  async (name) => {
    const path = join(await newHome(), name);
    writeFileSync(path, 'no archive');
    expect(await refused(path)).toMatchObject({ code: 'UPLOAD_FILE_REFUSED', class: 'config' });
  },
);

test("given an sdist without metadata, then the file is refused with twine's message", async () => {
  const problem = await refused(sdist(await newHome(), { 'setup.py': '' }));
  expect(problem).toMatchObject({ code: 'UPLOAD_FILE_REFUSED', class: 'config' });
  expect(problem.evidence!.join(' ')).toMatch(/PKG-INFO/);
});

test('given a sound sdist and a server that does not answer, then the target is unreachable', async () => {
  const metadata = 'Metadata-Version: 2.1\nName: skiff\nVersion: 1.0\n';
  const problem = await refused(sdist(await newHome(), { 'PKG-INFO': metadata }));
  expect(problem).toMatchObject({ code: 'TARGET_UNREACHABLE', class: 'infra' });
});
