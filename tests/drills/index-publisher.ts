import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Settings } from '../../src/adapters/s3-store/settings.js';
import { aWheel, wheelName } from '../support/a-wheel.js';

const DIST = join(__dirname, '..', '..', 'dist');

/** A process that publishes wheels to an index by the code of a worker: file, sidecar, statement, entry, pages.
 *
 * Arguments as JSON: `root` of the index (a folder, or the address of `bucket`), `wheels` (paths), `killAt`: number of the write before which it ends by SIGKILL,
 * `server`: address of a Temporal server whose index writer draws the pages; without one it draws them itself. */
const SCRIPT = `
const path = require('node:path');
const fs = require('node:fs');
const crypto = require('node:crypto');
const of = (name) => require('${DIST}/' + name + '.js');
const { openFolder } = of('adapters/static-index/folder');
const { writeEntry } = of('activities/index/write-entry');
const { drawPages } = of('activities/index/draw-pages');
const { createArchives } = of('adapters/archive/index');
const { createDirectoryStore } = of('adapters/store/directory');
const { createIndexWriter } = of('adapters/temporal/index-writer');
const { root, bucket, wheels, killAt, server } = JSON.parse(process.argv[1]);
const PLATFORM = 'debian-12';
const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'slipway-publisher-'));
let writes = 0;
const counted = (act) => async (...args) => {
  writes += 1;
  if (writes === killAt) process.kill(process.pid, 'SIGKILL');
  return act(...args);
};
const { openBucketPlace } = of('adapters/static-index/bucket');
const { Bucket } = of('adapters/s3-store/bucket');
const opened = bucket && new Bucket(bucket);
const bare = bucket ? openBucketPlace('cache', root, () => opened) : openFolder('cache', root);
const place = { ...bare, create: counted(bare.create), createFile: counted(bare.createFile), swap: counted(bare.swap) };
const work = {
  folder, run: 'a-run', step: { id: 'publish/cache', params: { target: { address: root } } },
  plan: { steps: [], release: { name: 'drill', version: '1' } },
  store: createDirectoryStore(path.join(folder, 'store')),
};
async function publish(wheel, list) {
  const file = path.basename(wheel);
  const project = file.split('-')[0];
  const name = PLATFORM + '/files/' + project + '/' + file;
  const bytes = fs.readFileSync(wheel);
  const digest = 'sha256:' + crypto.createHash('sha256').update(bytes).digest('hex');
  if ((await place.digest(name)) === null) await place.createFile(name, wheel);
  const artifact = { name: file, digest, size: bytes.length, kind: 'wheel', labels: {} };
  const own = { ...work, folder: path.join(folder, file), fetch: async () => wheel };
  fs.mkdirSync(own.folder, { recursive: true });
  await writeEntry({ work: own, place, ports: { archives: createArchives() } }, { artifact, name, url: '' }, 'wheels/' + project);
  await list(project);
}
async function main() {
  if (!server) {
    for (const wheel of wheels) await publish(wheel, (project) => drawPages(place, PLATFORM, [project]));
    return;
  }
  const { Client, Connection } = require('@temporalio/client');
  const client = new Client({ connection: await Connection.connect({ address: server, connectTimeout: '5 minutes' }) });
  const writer = createIndexWriter(client);
  const list = (project) => writer.list(root, { plan: root, step: 'publish/cache', run: 'a-run', names: [PLATFORM + '/' + project] });
  await Promise.all(wheels.map((wheel) => publish(wheel, list)));
  await client.connection.close();
}
main().then(() => console.log(JSON.stringify({ writes })), (error) => { console.error(error); process.exit(1); });
`;

export interface Publishing {
  /** Address of the index. */
  readonly root: string;
  /** Present if the index is in a bucket. */
  readonly bucket?: S3Settings;
  readonly wheels: readonly string[];
  readonly killAt?: number;
  readonly server?: string;
}

/** Runs the process to its end. Returns its signal, and how many writes it made. */
export async function publishInProcess(asked: Publishing): Promise<{ signal: string | null; writes: number }> {
  const child = spawn(process.execPath, ['-e', SCRIPT, JSON.stringify(asked)], {
    cwd: join(DIST, '..'),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on('data', (text: Buffer) => out.push(String(text)));
  child.stderr.on('data', (text: Buffer) => err.push(String(text)));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0 && signal === null) throw new Error(`the publisher failed: ${err.join('')}`);
  return { signal, writes: signal === null ? (JSON.parse(out.join('')) as { writes: number }).writes : 0 };
}

/** `INDEX_PROCESSES=20 INDEX_WHEELS=600`: as many publishers and wheels as the drill asks for. */
const PROCESSES = Number(process.env['INDEX_PROCESSES'] ?? 3);
const WHEELS = Number(process.env['INDEX_WHEELS'] ?? 30);

export const boats = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `boat${at}`);

/** Makes wheels of so many projects. Returns their paths. */
export async function wheelsOf(projects: number, all: number): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-wheels-'));
  const made: string[] = [];
  for (let at = 0; at < all; at += 1) {
    const said = { project: `boat${at % projects}`, version: `1.${Math.floor(at / projects)}`, python: 'py3' };
    const path = join(folder, wheelName(said));
    writeFileSync(path, await aWheel(said));
    made.push(path);
  }
  return made;
}

/** The wheels of the drill, the names of their projects, and a share for each publisher. */
export async function sharedWheels() {
  const projects = boats(Math.min(30, WHEELS / 5));
  const wheels = await wheelsOf(projects.length, WHEELS);
  const parts = Array.from({ length: PROCESSES }, (_, at) => wheels.filter((__, no) => no % PROCESSES === at));
  return { projects, parts, count: WHEELS };
}
