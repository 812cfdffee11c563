import { mkdtempSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMavenRepository, type TestServer } from '../../support/registries.js';
import { anArtifact, newHome } from '../../support/run-body.js';
import { aTarget, built, codesOf, sealAndPublish } from './release.js';

let maven: TestServer;
let door: Server;
/** What happens to an upload of the file on its way. */
let fate: 'arrives unanswered' | 'is lost' | 'is refused for now' = 'is lost';

/** A door in front of the repository that breaks the connection of uploads. */
beforeAll(async () => {
  maven = await startMavenRepository(mkdtempSync(join(tmpdir(), 'slipway-maven-')));
  door = createServer((asked, answer) => {
    const upload = asked.method === 'PUT' && asked.url!.endsWith('.jar');
    if (upload && fate === 'is lost') return void asked.socket.destroy();
    if (upload && fate === 'is refused for now') return void answer.writeHead(503).end();
    const passed = request(
      new URL(asked.url!, maven.address),
      { method: asked.method, headers: asked.headers },
      (response) => {
        if (upload) return void asked.socket.destroy();
        answer.writeHead(response.statusCode!, response.headers);
        response.pipe(answer);
      },
    );
    asked.pipe(passed);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
});
afterAll(async () => {
  door.close();
  await maven.stop();
});

async function publish(artifactId: string) {
  const home = await newHome();
  const address = `http://127.0.0.1:${(door.address() as AddressInfo).port}/`;
  const labels = { groupId: 'org.example', artifactId, version: '1.0' };
  const jar = await anArtifact(home, `${artifactId}-1.0.jar`, 'bytes', { kind: 'jar', labels });
  return sealAndPublish(home, aTarget({ kind: 'maven', address }), built([jar], 'jars/skiff'));
}

test('an upload that broke off but arrived is published', async () => {
  fate = 'arrives unanswered';
  expect((await publish('arrived')).made.note).toBe('1 file uploaded');
});

test('an upload that broke off and did not arrive is asked for again later', async () => {
  fate = 'is lost';
  const error = await publish('lost').catch((thrown: unknown) => thrown);
  expect(codesOf(error)).toEqual(['TARGET_UNREACHABLE']);
  expect(error).toMatchObject({ problems: [{ class: 'infra' }] });
});

test('a 503 is the surroundings, not the product', async () => {
  fate = 'is refused for now';
  const error = await publish('busy').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ problems: [{ code: 'TARGET_BROKEN', class: 'infra' }] });
});
