/** @slow */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createAgent } from '../../src/adapters/clusters/agent.js';
import { AgentGone } from '../../src/adapters/clusters/fault.js';
import { createImageRegistry } from '../../src/adapters/docker/registry.js';
import { openPortal } from '../../src/adapters/central/portal.js';
import { createMavenRepository } from '../../src/adapters/maven-repository/maven-repository.js';
import { createOciPointers } from '../../src/adapters/oci/oci-pointers.js';
import { createPythonIndex } from '../../src/adapters/index/python-index.js';
import { createWebhook } from '../../src/adapters/webhook/webhook.js';
import type { Connection, Session } from '../../src/activities/publish/ports.js';
import { aPeer, problemOf, startServer, type OwnServer } from '../adapters/http/a-server.js';
import { answerBomb, answerStackedBomb, growthOf } from './a-bomb.js';

let server: OwnServer;
beforeEach(async () => void (server = await startServer()));
afterEach(() => server.stop());

const signal = new AbortController().signal;
const session = { signal } as Session;
const to = (kind: Connection['kind']): Connection => ({
  ...{ name: 'shelf', kind, address: `${server.address}/`, repository: 'example/skiff' },
  ...{ username: 'kim', password: null, staging: null, extra: null, secrets: {}, version: '1.2.3' },
});
const MEGABYTE = 1024 * 1024;
const DIGEST = `sha256:${'ab'.repeat(32)}` as const;

/** Every reader of answers that are kept in memory: with the start of the path that answers badly. */
const READERS: readonly [string, string, () => Promise<unknown>][] = [
  ['a page of an index', '/+simple/skiff', () => createPythonIndex(to('python'), session).prove('skiff', '1.2.3', [])],
  [
    "devpi's description of itself",
    '/+api',
    () => createPythonIndex(to('python'), session).prove('skiff', '1.2.3', []),
  ],
  ['a list of tags', '/v2/', () => createOciPointers(to('oci'), session).tags()],
  ['an image manifest', '/v2/', () => createOciPointers(to('oci'), session).originOf(DIGEST)],
  ['a token', '/token', () => createOciPointers(to('oci'), session).tags()],
  ['an image in staging', '/v2/', () => createImageRegistry().find(host(), 'skiff', '1', signal)],
  ['the state of a deployment', '/api/', () => openPortal(aPeer(), `${server.address}/api/`).status('1')],
  ['maven-metadata.xml', '/org/', () => completeMaven()],
];
const host = (): string => new URL(server.address).host;
function completeMaven(): Promise<void> {
  const name = 'org/example/skiff/1/skiff-1.jar';
  const labels = { groupId: 'org.example', artifactId: 'skiff', version: '1' };
  const artifact = { digest: DIGEST, name: 'skiff-1.jar', kind: 'jar', size: 1, labels } as const;
  return createMavenRepository(to('maven'), session).complete!([{ artifact, name, url: '' }], () => null);
}

/** Answers well, except below a path. */
function serve(path: string, bomb: typeof answerBomb): void {
  server.answers = ({ url, method }, answer) => {
    if (method === 'HEAD') return void answer.end();
    const asksForToken = path === '/token' && url.startsWith('/v2/');
    if (asksForToken)
      return void answer.writeHead(401, { 'www-authenticate': `Bearer realm="${server.address}/token"` }).end();
    if (url.startsWith(path)) return bomb(answer, 'application/json');
    answer.writeHead(200, { 'content-type': 'application/json' }).end('{"files":[]}');
  };
}

test.each(READERS)(
  '[M2] given %s of 1.4 MB that decodes to 1.4 GB, then it is refused at its limit',
  async (_, path, read) => {
    serve(path, answerBomb);
    let problem: unknown;
    const grown = await growthOf(async () => void (problem = await problemOf(read())));
    expect(problem).toMatchObject({
      code: 'ANSWER_TOO_LARGE',
      message: expect.stringMatching(
        /answered with more than \d+ MiB, decoded from gzip, asked for .* at http:\/\/127/,
      ),
    });
    expect(grown).toBeLessThan(160);
  },
);

test.each(READERS)(
  '[M2] given %s with stacked codings, then it is refused before it is read',
  async (_, path, read) => {
    serve(path, answerStackedBomb);
    expect(await problemOf(read())).toMatchObject({ code: 'ANSWER_CODED_TWICE' });
  },
);

test.each(READERS)(
  '[M2] given %s that declares more than its limit, then it is refused before it is read',
  async (_, path, read) => {
    serve(path, (answer) => void answer.writeHead(200, { 'content-length': String(2 ** 40) }).write('{'));
    expect(await problemOf(read())).toMatchObject({ code: 'ANSWER_TOO_LARGE' });
  },
);

test("[M2] given a webhook's answer, then only its shown part is read", async () => {
  server.answers = (_, answer) => answerBomb(answer, 'text/plain');
  const letter = { to: 'notify.team', url: server.address, headers: {}, body: '{}', signal };
  let said = '';
  const grown = await growthOf(async () => void ({ said } = await createWebhook().post(letter)));
  expect(said.length).toBeLessThanOrEqual(300);
  expect(grown).toBeLessThan(160);
});

test("[M2] given an endless slow answer, then it ends at the request's timeout", async () => {
  server.answers = (_, answer) => {
    answer.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => answer.write(' '), 20);
    answer.on('close', () => clearInterval(timer));
  };
  const index = createPythonIndex(to('python'), { ...session, patienceMs: 300 });
  expect(await problemOf(index.prove('skiff', '1.2.3', []))).toMatchObject({ code: 'TARGET_UNREACHABLE' });
});

test('[M2] given a program that listens in place of an agent and sends a line without an end, then the worker hangs up', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'slipway-agent-')), 'agent.sock');
  let sent = 0;
  const server = createNetServer((peer) => {
    const endless = new Readable({
      read() {
        sent += MEGABYTE;
        this.push(sent > 200 * MEGABYTE ? null : Buffer.alloc(MEGABYTE, 'x'));
      },
    });
    peer.on('error', () => undefined);
    pipeline(endless, peer).catch(() => undefined);
  }).listen(path);
  await once(server, 'listening');
  const ran = createAgent(path).run({ argv: ['true'], cwd: '/', env: {}, signal, onOutput: () => undefined });
  await expect(ran).rejects.toThrow(AgentGone);
  expect(sent).toBeLessThan(20 * MEGABYTE);
  await new Promise((resolve) => server.close(resolve));
});
