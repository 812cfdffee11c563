import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

type State = 'PENDING' | 'VALIDATING' | 'VALIDATED' | 'PUBLISHING' | 'PUBLISHED' | 'FAILED';
interface Deployment {
  readonly id: string;
  readonly name: string;
  readonly type: 'USER_MANAGED' | 'AUTOMATIC';
  readonly files: ReadonlyMap<string, Buffer>;
  state: State;
  errors: Record<string, string[]>;
}

/** A double of Central Portal, the only server of these tests that is not real: there is none to run. It validates as Central
 * does (checksums, signatures, sources, javadoc, POM, versions that are there), goes on by one state each time it is asked,
 * and publishes for ever. */
export interface FakeCentral {
  /** `http://127.0.0.1:port/` of the publisher API, and of the repository that readers see. */
  readonly address: string;
  readonly reads: string;
  readonly deployments: readonly Deployment[];
  /** Every request, as `POST /upload`. */
  readonly asked: string[];
  /** Looks at the repository that still find nothing after something was published. */
  syncAfter: number;
  /** Looks at a state that are answered with 502. */
  misses: number;
  /** From now on nothing leaves this state. */
  stuckIn: State | null;
  stop(): Promise<void>;
}

const TOKEN = `Bearer ${Buffer.from('user:token').toString('base64')}`;

export async function startFakeCentral(): Promise<FakeCentral> {
  const deployments: Deployment[] = [];
  const server = createServer((asked, answer) => void handle(asked, answer, central, deployments));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const central: FakeCentral = {
    ...{ address: `${root}api/v1/publisher/`, reads: `${root}maven2/`, deployments, asked: [] },
    ...{ syncAfter: 0, misses: 0, stuckIn: null },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return central;
}

async function handle(
  asked: IncomingMessage,
  answer: ServerResponse,
  central: FakeCentral,
  all: Deployment[],
): Promise<void> {
  const url = new URL(asked.url ?? '/', 'http://127.0.0.1');
  const body = await bodyOf(asked);
  const path = url.pathname.replace('/api/v1/publisher', '');
  central.asked.push(`${asked.method} ${path}`);
  if (path.startsWith('/maven2/')) return read(path.slice('/maven2/'.length), answer, central, all);
  if (asked.headers.authorization !== TOKEN) return void answer.writeHead(401).end();
  const [, , id, verb, ...rest] = path.split('/');
  const one = all.find((deployment) => deployment.id === (url.searchParams.get('id') ?? id));
  if (path === '/upload') return upload(url.searchParams, body, answer, all);
  if (path === '/published') return void answer.end(JSON.stringify({ published: isPublished(url.searchParams, all) }));
  if (one === undefined) return void answer.writeHead(404).end();
  if (path === '/status') return status(one, answer, central, all);
  if (verb === 'download') return send(one.files.get(rest.join('/')), answer);
  if (asked.method === 'POST') return publish(one, answer);
  if (asked.method === 'DELETE') return drop(one, answer, all);
  answer.writeHead(405).end();
}

async function bodyOf(asked: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of asked as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function upload(query: URLSearchParams, body: Buffer, answer: ServerResponse, all: Deployment[]): Promise<void> {
  const start = body.indexOf('\r\n\r\n') + 4;
  const end = body.lastIndexOf(`\r\n${body.subarray(0, body.indexOf('\r\n')).toString()}--`);
  const type = query.get('publishingType') === 'USER_MANAGED' ? 'USER_MANAGED' : 'AUTOMATIC';
  const files = await unzipped(body.subarray(start, end));
  const one: Deployment = {
    ...{ id: randomUUID(), name: query.get('name') ?? '', type, files, state: 'PENDING', errors: {} },
  };
  all.push(one);
  answer.writeHead(201, { 'content-type': 'text/plain' }).end(one.id);
}

async function unzipped(zip: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const read = await fromBufferPromise(zip);
  for await (const row of read.eachEntry())
    files.set(row.fileName, await buffer(await read.openReadStreamPromise(row)));
  return files;
}

function status(one: Deployment, answer: ServerResponse, central: FakeCentral, all: Deployment[]): void {
  if (central.misses > 0) {
    central.misses -= 1;
    return void answer.writeHead(502).end('<html>Bad gateway</html>');
  }
  const { id, name, state, errors } = one;
  const told = { deploymentId: id, deploymentName: name, deploymentState: state, purls: [], errors };
  answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
  // Time passes for all of them.
  for (const each of all) if (central.stuckIn !== each.state) goOn(each, all);
}

/** What happens to a deployment until somebody looks again. */
function goOn(one: Deployment, all: readonly Deployment[]): void {
  if (one.state === 'PENDING') one.state = 'VALIDATING';
  else if (one.state === 'VALIDATING') {
    one.errors = faultsOf(one, all);
    one.state = Object.keys(one.errors).length > 0 ? 'FAILED' : 'VALIDATED';
  } else if (one.state === 'VALIDATED' && one.type === 'AUTOMATIC') one.state = 'PUBLISHING';
  else if (one.state === 'PUBLISHING') {
    one.errors = taken(one, all);
    one.state = Object.keys(one.errors).length > 0 ? 'FAILED' : 'PUBLISHED';
  }
}

function publish(one: Deployment, answer: ServerResponse): void {
  if (one.state !== 'VALIDATED') return void answer.writeHead(400).end(`Deployment is ${one.state}`);
  one.state = 'PUBLISHING';
  answer.writeHead(204).end();
}

function drop(one: Deployment, answer: ServerResponse, all: Deployment[]): void {
  if (one.state !== 'VALIDATED' && one.state !== 'FAILED') return void answer.writeHead(400).end();
  all.splice(all.indexOf(one), 1);
  answer.writeHead(204).end();
}

const folders = ({ files }: Deployment): readonly string[] => [
  ...new Set([...files.keys()].map((name) => name.slice(0, name.lastIndexOf('/')))),
];

function taken(one: Deployment, all: readonly Deployment[]): Record<string, string[]> {
  const there = all.filter((other) => other !== one && other.state === 'PUBLISHED').flatMap(folders);
  const twice = folders(one).filter((folder) => there.includes(folder));
  return Object.fromEntries(
    twice.map((folder) => [purl(folder), [`Component with package url: '${purl(folder)}' already exists`]]),
  );
}

function purl(folder: string): string {
  const parts = folder.split('/');
  return `pkg:maven/${parts.slice(0, -2).join('.')}/${parts.at(-2)}@${parts.at(-1)}`;
}

/** Checksums, signatures, sources, javadoc and the POM, as Central's "Requirements" ask for them. */
function faultsOf(one: Deployment, all: readonly Deployment[]): Record<string, string[]> {
  const faults = Object.entries(taken(one, all));
  const { files } = one;
  for (const [name, bytes] of files) {
    if (/maven-metadata/.test(name)) faults.push([name, ['Bundle has content that is not allowed']]);
    if (/\.(md5|sha1|sha256|sha512)$/.test(name)) continue;
    if (name.endsWith('.asc')) continue;
    for (const kind of ['md5', 'sha1']) {
      const sum = files.get(`${name}.${kind}`)?.toString();
      if (sum === undefined) faults.push([name, [`Missing ${kind} checksum for file: ${name}`]]);
      else if (sum !== createHash(kind).update(bytes).digest('hex'))
        faults.push([name, [`Invalid ${kind} for ${name}`]]);
    }
    if (!files.has(`${name}.asc`)) faults.push([name, [`Missing signature for file: ${name}`]]);
    else if (files.get(`${name}.asc`)!.toString().includes('forged')) faults.push([name, ['Invalid signature']]);
  }
  return Object.fromEntries(faults);
}

function isPublished(query: URLSearchParams, all: readonly Deployment[]): boolean {
  const asked = `${query.get('namespace')!.replaceAll('.', '/')}/${query.get('name')}/${query.get('version')}`;
  return all.some((one) => one.state === 'PUBLISHED' && folders(one).includes(asked));
}

function read(path: string, answer: ServerResponse, central: FakeCentral, all: readonly Deployment[]): void {
  const bytes = all.find((one) => one.state === 'PUBLISHED' && one.files.has(path))?.files.get(path);
  if (bytes === undefined || central.syncAfter > 0) {
    central.syncAfter -= bytes === undefined ? 0 : 1;
    return send(undefined, answer);
  }
  send(bytes, answer);
}

const send = (bytes: Buffer | undefined, answer: ServerResponse): void =>
  void (bytes === undefined ? answer.writeHead(404).end() : answer.writeHead(200).end(bytes));
