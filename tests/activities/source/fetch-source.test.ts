import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { records } from '../../../src/model/run-folder.js';
import { aStep, newHome, runBody } from '../../support/run-body.js';
import { bodies } from '../wheels/fixture.js';

const sdist = makeSdist();
const sha256 = createHash('sha256').update(readFileSync(sdist)).digest('hex');

/** Its setup.py would fail: fetching must not run it. */
function makeSdist(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-index-'));
  mkdirSync(join(folder, 'skiff-1.2'));
  writeFileSync(join(folder, 'skiff-1.2', 'setup.py'), 'raise SystemExit("ran")\n');
  execFileSync('tar', ['-C', folder, '--mtime=@1600000000', '-czf', join(folder, 'skiff-1.2.tar.gz'), 'skiff-1.2']);
  return join(folder, 'skiff-1.2.tar.gz');
}

let index: Server;
let status = 200;
beforeAll(async () => {
  index = createServer((request, response) => {
    if (status !== 200) return response.writeHead(status).end();
    if (request.url === '/skiff-1.2.tar.gz') return createReadStream(sdist).pipe(response);
    if (request.url !== '/simple/skiff/') return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/html' });
    return response.end('<!DOCTYPE html><a href="/skiff-1.2.tar.gz">skiff-1.2.tar.gz</a>');
  });
  await new Promise<void>((ready) => index.listen(0, '127.0.0.1', ready));
});
afterAll(() => new Promise((closed) => index.close(closed)));

/** The index of this test in place of the one that is configured here. */
async function fetchSkiff(name: string, version: string, wanted: string) {
  const { port } = index.address() as AddressInfo;
  const body: typeof bodies.fetchSource = (work) => {
    const env = work.env({ PIP_INDEX_URL: `http://127.0.0.1:${port}/simple/` });
    return bodies.fetchSource({ ...work, capture: (argv, options) => work.capture(argv, { ...options, env }) });
  };
  return runBody(body, aStep('fetchSource', { source: { kind: 'sdist', name, version, sha256: wanted } }));
}

test('an sdist is taken as it is, without running anything of it; its newest member is the time', async () => {
  const { made } = await fetchSkiff('skiff', '1.2', sha256);
  expect(made.artifacts).toMatchObject([{ digest: `sha256:${sha256}`, kind: 'sdist', name: 'skiff-1.2.tar.gz' }]);
  expect(made.facts).toEqual({ epoch: 1_600_000_000, commit: null, version: '1.2' });
});

test('other bytes than the release file means are refused with both digests', async () => {
  await expect(fetchSkiff('skiff', '1.2', 'f'.repeat(64))).rejects.toMatchObject({
    first: { code: 'SHA256_MISMATCH', class: 'config', details: { wanted: 'f'.repeat(64), found: sha256 } },
  });
});

test.each([
  ['a version that is absent', 'skiff', '9', 200, 'SDIST_ABSENT'],
  ['a project that is absent', 'raft', '1', 200, 'SDIST_ABSENT'],
  ['an index that does not answer', 'skiff', '1.2', 500, 'INDEX_UNREACHABLE'],
])('%s', async (_, name, version, answer, code) => {
  status = answer;
  await expect(fetchSkiff(name, version, sha256)).rejects.toMatchObject({ first: { code } });
  status = 200;
});

describe('a commit', () => {
  const commit = 'c'.repeat(40);
  const step = aStep('fetchSource', { source: { kind: 'git', commit } });

  test('that was exported is the source', async () => {
    const home = await newHome();
    const { around } = await runBody(async () => ({ artifacts: [], note: '' }), step, { home });
    await around.store.create(records.gitSource(commit), { digest: `sha256:${'a'.repeat(64)}`, size: 7, epoch: 5 });
    const { made } = await runBody(bodies.fetchSource, step, { home });
    expect(made.artifacts).toMatchObject([{ kind: 'source', name: 'source.tar', size: 7 }]);
    expect(made.facts).toEqual({ epoch: 5, commit, version: null });
  });

  test('that nobody exported is told as such', async () => {
    await expect(runBody(bodies.fetchSource, step)).rejects.toMatchObject({ first: { code: 'SOURCE_NOT_EXPORTED' } });
  });
});
