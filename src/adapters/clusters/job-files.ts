import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hexOf } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { quoted } from '../../model/quoted.js';
import { pack } from '../archive/pack.js';
import { packZip } from '../archive/zip-pack.js';
import { sha256 } from '../sha256.js';
import { hashFile } from '../store/read-through.js';
import type { Dashboard } from './dashboard.js';
import { filesNotPut } from './errors.js';
import { ClusterFault } from './fault.js';
import { isClosed, makeFolders } from './head-folder.js';
import { readLog } from './job-output.js';
import { MOST_RESULT_BYTES } from './limits.js';
import { runJob } from './ray-jobs.js';
import { NOW_FILE, unpackResults } from './results-archive.js';

/** Folders of a test's files, here and on the head. */
export interface JobPlace {
  readonly dashboard: Dashboard;
  /** Begin of the ids of all its jobs. */
  readonly id: string;
  readonly folder: string;
  readonly at: string;
  readonly cluster: string;
  readonly signal: AbortSignal;
}

/** The first time that a zip file can hold. */
const EPOCH_S = 315_532_800;

/** Sends the folder as a package of Ray, and lets a job unpack it on the head. The package is a zip with one packed tar
 * file, which keeps modes and links. */
export async function putFiles(place: JobPlace): Promise<void> {
  const { dashboard, folder, at, cluster, signal } = place;
  const [packed, file] = [`${folder}.tgz`, `${folder}.zip`];
  await pack(folder, packed, { epoch: EPOCH_S });
  await packZip(file, [{ name: 'test.tgz', from: { path: packed } }], EPOCH_S);
  const name = `_ray_pkg_${hexOf((await hashFile(file)).digest).slice(0, 32)}.zip`;
  const path = `/api/packages/gcs/${name}`;
  if ((await dashboard.ask('GET', path)).status !== 200) {
    const { status, text } = await dashboard.upload(path, file, signal);
    if (status !== 200) throw fail(filesNotPut(cluster, `HTTP ${status}: ${lastLine(text)}`));
  }
  const line = `${makeFolders(at)} && tar -xzf test.tgz -C ${quoted(at)}`;
  const said = await helper(place, 'put', line, `gcs://${name}`);
  if (said !== null) throw fail(filesNotPut(cluster, said));
}

/** Lets a job print the results, and unpacks them. Throws if they are not whole. Returns what `unpackResults` does. */
export async function getFiles(place: JobPlace): Promise<number> {
  const { dashboard, id, folder, at } = place;
  const packed = join(at, 'slipway-out.tgz');
  const print = `echo slipway-begin $(sha256sum < "$f") && base64 < "$f" && echo slipway-end`;
  const tar = `cd ${quoted(join(at, 'out'))} && touch ${NOW_FILE} && tar -czf "$f" .`;
  const line = `f=${quoted(packed)}; ${isClosed(at)} && ${tar} && ${print}; s=$?; rm -f "$f"; exit $s`;
  const said = await helper(place, 'get', line);
  if (said !== null) throw new ClusterFault(said);
  const pieces: Buffer[] = [];
  let size = 0;
  const status = await readLog(dashboard, 'file', `${id}-get`, place.signal, (piece) => {
    size += piece.length;
    if (size > MOST_RESULT_BYTES)
      throw new ClusterFault(`they have more than ${MOST_RESULT_BYTES} bytes, packed and as text`);
    pieces.push(piece);
  });
  if (status !== 200) throw new ClusterFault(`the log of the job that prints them answered with HTTP ${status}`);
  // Ray writes the line into the log while the job prints already.
  const text = Buffer.concat(pieces).toString('latin1').replace(`Running entrypoint for job ${id}-get: ${line}\n`, '');
  return unpackPrinted(text, folder);
}

async function unpackPrinted(text: string, folder: string): Promise<number> {
  const [, digest, body] = /^slipway-begin ([0-9a-f]{64}) +-\n([^]*?)^slipway-end$/m.exec(text) ?? [];
  const bytes = Buffer.from(body ?? '', 'base64');
  if (digest === undefined || hexOf(sha256(bytes)) !== digest)
    throw new ClusterFault('what arrived is not what was sent');
  const path = `${folder}.out.tgz`;
  await writeFile(path, bytes);
  return unpackResults(path, join(folder, 'out'));
}

/** Runs a line as a job without output of its own. Returns why it failed. Null if it ended well. */
async function helper(
  { dashboard, id, signal }: JobPlace,
  name: string,
  entrypoint: string,
  workingDir?: string,
): Promise<string | null> {
  let said = '';
  const onOutput = (text: string): void => void (said = text);
  const job = { id: `${id}-${name}`, entrypoint, signal, leaves: () => true, onOutput };
  const end = await runJob(dashboard, { ...job, ...(workingDir && { workingDir }) }, () => Promise.resolve());
  if (end === 0) return null;
  return end === null ? `its job did not run: ${lastLine(said)}` : `its job ended with status ${end}`;
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';
