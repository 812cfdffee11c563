// Readers of answers, given answers that come from no server: `fetch` is replaced in this thread.
const { createPythonIndex } = require('../../dist/adapters/index/python-index.js');
const { createOciPointers } = require('../../dist/adapters/oci/oci-pointers.js');
const { openPortal } = require('../../dist/adapters/central/portal.js');
const { createMavenRepository } = require('../../dist/adapters/maven-repository/maven-repository.js');
const { createImageRegistry } = require('../../dist/adapters/docker/registry.js');
const { createWebhook } = require('../../dist/adapters/webhook/webhook.js');

const signal = new AbortController().signal;
/** A step whose upload is this file. */
const session = {
  signal,
  patienceMs: 600_000,
  folder: __dirname,
  fetch: async () => __filename,
  log: { write: () => undefined },
};
const to = (kind) => ({
  ...{ name: 'shelf', kind, address: 'http://127.0.0.1:1/', repository: 'example/skiff', username: 'kim' },
  ...{ password: 'secret', staging: null, extra: null, secrets: {}, version: '1.2.3' },
});
const peer = { target: 'shelf', username: 'kim', password: 'secret', ...session };
const DIGEST = `sha256:${'ab'.repeat(32)}`;
const LABELS = { groupId: 'org.example', artifactId: 'skiff', version: '1' };
const ITEM = {
  artifact: { digest: DIGEST, name: 's.jar', kind: 'jar', size: 1, labels: LABELS },
  name: 'a/s.jar',
  url: '',
};

/** Each takes whatever comes, or fails with a coded problem. */
const READERS = [
  () => createPythonIndex(to('python'), session).prove('skiff', '1.2.3', []),
  () => createOciPointers(to('oci'), session).tags(),
  () => createOciPointers(to('oci'), session).originOf(DIGEST),
  () => openPortal(peer, 'http://127.0.0.1:1/').status('1'),
  () => openPortal(peer, 'http://127.0.0.1:1/').isPublished({ namespace: 'n', name: 'a', version: '1' }),
  () => createMavenRepository(to('maven'), session).complete([ITEM], () => null),
  () => createImageRegistry().read('127.0.0.1:1', 'skiff', '1', signal),
  () => createWebhook().post({ to: 't', url: 'http://127.0.0.1:1/', headers: {}, body: '', signal }),
];

/** `200\nheader: value\n\nbody`: what every question is answered with, at most thirty times. */
const readAnswer = async (bytes) => {
  const text = bytes.toString('latin1');
  const split = text.indexOf('\n\n');
  const [first = '', ...lines] = text.slice(0, split < 0 ? 0 : split).split('\n');
  const body = bytes.subarray(split < 0 ? 0 : split + 2);
  const [code, reader] = first.split(' ').map(Number);
  const status = code >= 200 && code < 600 ? code : 200;
  let asked = 0;
  globalThis.fetch = async (url) => {
    asked += 1;
    const isLast = asked > 30;
    const response = new Response(isLast || [204, 205, 304].includes(status) ? null : body, {
      status: isLast ? 404 : status,
      headers: headersIn(lines),
    });
    Object.defineProperty(response, 'url', { value: String(url) });
    return response;
  };
  await READERS[Number.isFinite(reader) ? Math.abs(Math.floor(reader)) % READERS.length : 0]();
};

function headersIn(lines) {
  const headers = new Headers();
  for (const line of lines) {
    const [name, value] = line.split(/: ?(.*)/s);
    try {
      headers.append(name, value ?? '');
    } catch {
      // Not a header that any server can send.
    }
  }
  return headers;
}

const json = (value) => JSON.stringify(value);
const manifest = { mediaType: 'application/vnd.oci.image.manifest.v1+json', digest: DIGEST, size: 9 };
const answer = (reader, type, body, ...headers) =>
  [`200 ${reader}`, `content-type: ${type}`, `docker-content-digest: ${DIGEST}`, ...headers, '', body].join('\n');
const SEEDS = [
  answer(
    0,
    'application/vnd.pypi.simple.v1+json',
    json({ files: [{ filename: 'skiff-1.2.3.tar.gz', url: 's', hashes: { sha256: 'ab'.repeat(32) } }] }),
  ),
  answer(
    0,
    'text/html',
    '<title>Links for skiff</title><a href="/f/skiff-1.2.3.tar.gz#sha256=ab">skiff-1.2.3.tar.gz</a>',
  ),
  answer(
    0,
    'application/json',
    json({ result: { login: 'http://127.0.0.1:1/+login', index: 'http://127.0.0.1:1/', acl_upload: ['kim'] } }),
  ),
  answer(1, 'application/json', json({ tags: ['1.2.3', 'latest'] }), 'link: </v2/x/tags/list?last=1>; rel="next"'),
  answer(
    1,
    'application/json',
    json({ token: 'x' }),
    'www-authenticate: Bearer realm="http://127.0.0.1:1/token",service="r"',
  ).replace('200', '401'),
  answer(2, manifest.mediaType, json({ config: manifest, layers: [manifest], manifests: [manifest] })),
  answer(3, 'application/json', json({ deploymentState: 'VALIDATED', errors: { a: ['b'] } })),
  answer(4, 'application/json', json({ published: true })),
  answer(5, 'text/xml', '<metadata><versioning><versions><version>1.0</version></versions></versioning></metadata>'),
  answer(6, manifest.mediaType, json({ config: manifest, layers: [{ size: 3 }], os: 'linux', architecture: 'amd64' })),
  answer(7, 'text/plain', 'ok'),
];
const TOKENS = [
  '"',
  '{',
  '}',
  '[',
  ']',
  'null',
  ':',
  ',',
  '0',
  '1e999',
  '-1',
  '<a href="',
  '\\u0000',
  '\n',
  '<version>',
  '401',
  '404',
  '500',
  'location: ',
  'link: <',
  '>; rel="next"',
  'content-encoding: gzip',
  'content-length: 99999999999',
  'files',
  'tags',
  'manifests',
  'config',
  'realm="',
  '{"__proto__":1}',
];

module.exports = { readAnswer, SEEDS, TOKENS };
