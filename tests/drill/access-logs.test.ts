import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { indexUploads, mavenUploads, registryUploads, sentAgain } from '../../tools/drill/access-logs.js';
import { INDEX } from '../../src/services/catalog/devpi.js';
import { accessLogFile } from '../../src/services/folders.js';
import { newHome } from '../support/run-body.js';

/** A home whose registries logged this. */
async function logged(name: string, lines: readonly string[]): Promise<string> {
  const home = await newHome();
  mkdirSync(dirname(accessLogFile(home, name)), { recursive: true });
  writeFileSync(accessLogFile(home, name), `${lines.join('\n')}\n`);
  return home;
}

const nginx = (method: string, status: number, path: string): string =>
  `2026-11-21T10:00:00+00:00 ${method} ${status} "${path}" 0 900 0.010 "twine"`;
const registry = (path: string, status: number): string =>
  `127.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "PUT ${path} HTTP/1.1" ${status} 0 "" "node"`;

test('given the log of the index, then repeated and refused uploads are found, and interrupted ones are not', async () => {
  const post = (status: number): string => nginx('POST', status, `${INDEX}/`);
  const home = await logged('index', [post(200), post(502), post(200), nginx('GET', 200, `${INDEX}/+simple/`)]);
  expect(sentAgain(indexUploads(home), 2)).toEqual([]);
  expect(sentAgain(indexUploads(home), 1)).toEqual(['a file']);
  expect(sentAgain(indexUploads(await logged('index', [post(200), post(409)])), 1)).toEqual(['a file (refused)']);
});

test('given the log of the Maven repository, then each file may be sent once, and metadata more often', async () => {
  const home = await logged('maven', [
    nginx('PUT', 201, '/a/b/1/b-1.jar'),
    nginx('PUT', 201, '/a/b/maven-metadata.xml'),
    nginx('PUT', 204, '/a/b/maven-metadata.xml'),
    nginx('PUT', 409, '/a/b/1/b-1.jar'),
  ]);
  expect(sentAgain(mavenUploads(home))).toEqual(['/a/b/1/b-1.jar (refused)']);
});

test('given the log of the container registry, then each blob, manifest and tag may be sent once', async () => {
  const blob = '/v2/boats/blobs/uploads/1f?_state=x&digest=sha256%3Aab';
  const again = '/v2/boats/blobs/uploads/2f?_state=y&digest=sha256%3Aab';
  const home = await logged('registry', [
    registry(blob, 201),
    registry(again, 201),
    registry('/v2/boats/manifests/1.0', 201),
    registry('/v2/boats/manifests/1.0', 500),
  ]);
  expect(sentAgain(registryUploads(home))).toEqual(['/v2/boats/blobs/sha256:ab']);
});

test('given a registry without requests, then there is no log and no finding', async () => {
  expect(sentAgain(indexUploads(await newHome()))).toEqual([]);
});
