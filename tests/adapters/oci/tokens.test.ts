/** @needs registries */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdtempSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTargets } from '../../../src/adapters/targets.js';
import type { Connection } from '../../../src/activities/publish/ports.js';
import { stageImage } from '../../support/publish-fixtures.js';
import { startRegistry, type TestServer } from '../../support/registries.js';
import { aStep, newHome, runBody } from '../../support/run-body.js';
import { codesOf } from '../../activities/publish/release.js';

let registry: TestServer;
let staging: TestServer;
let door: Server;
const host = (): string => `127.0.0.1:${(door.address() as AddressInfo).port}`;

/** A door that asks for tokens as public registries do, in front of a real registry. */
beforeAll(async () => {
  const folder = (): string => mkdtempSync(join(tmpdir(), 'slipway-registry-'));
  [registry, staging] = await Promise.all([startRegistry(folder()), startRegistry(folder())]);
  door = createServer((asked, answer) =>
    asked.url!.startsWith('/token') ? giveToken(asked, answer) : pass(asked, answer),
  );
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
});
afterAll(async () => {
  door.close();
  await Promise.all([registry.stop(), staging.stop()]);
});

function giveToken({ headers }: IncomingMessage, answer: ServerResponse): void {
  const good = headers.authorization === `Basic ${Buffer.from('me:right').toString('base64')}`;
  answer.writeHead(good ? 200 : 401, { 'content-type': 'application/json' }).end(good ? '{"token":"t0ken"}' : '{}');
}

function pass(asked: IncomingMessage, answer: ServerResponse): void {
  if (asked.headers.authorization !== 'Bearer t0ken') {
    const challenge = `Bearer realm="http://${host()}/token",service="door",scope="repository:x:pull"`;
    asked.resume();
    return void answer.writeHead(401, { 'www-authenticate': challenge }).end();
  }
  const headers = { ...asked.headers, host: host() };
  const on = request(
    new URL(asked.url!, `http://${registry.address}`),
    { method: asked.method, headers },
    (response) => {
      answer.writeHead(response.statusCode!, response.headers);
      response.pipe(answer);
    },
  );
  asked.pipe(on);
}

const connection = (password: string): Connection => ({
  name: 'hub',
  kind: 'oci',
  address: host(),
  repository: 'example/token',
  username: 'me',
  password,
  staging: staging.address,
  extra: null,
  secrets: {},
  version: '1.2.3',
});

test('given a credential, then it is exchanged for a token, and publishing uses that', async () => {
  const image = await stageImage(staging.address, 'skiff', 'token');
  const { made } = await runBody(
    async (work) => {
      const target = createTargets().open(connection('right'), work);
      const free = await target.prove('skiff', '1.2.3', []);
      const [item] = target.items(image, ['1.2.3']);
      await target.upload([item!]);
      return {
        artifacts: [],
        facts: { free: free!.length, seen: (await target.observe(item!)) as { state: string } },
        note: '',
      };
    },
    aStep('writeReport', {}),
    { home: await newHome() },
  );
  expect(made.facts).toEqual({ free: 0, seen: { state: 'present', digest: image.digest } });
});

test('given a wrong password, then the credential is refused', async () => {
  const proving = runBody(
    async (work) => {
      await createTargets().open(connection('wrong'), work).prove('skiff', '1.2.3', []);
      return { artifacts: [], note: '' };
    },
    aStep('writeReport', {}),
    { home: await newHome() },
  );
  expect(codesOf(await proving.catch((thrown: unknown) => thrown))).toEqual(['TARGET_DENIED']);
});
