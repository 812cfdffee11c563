import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Absent, Download, Downloaded, Located, WheelServer } from '../../activities/wheels/taken/ports.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { nameFault } from '../../model/file-name.js';
import { fittingWheels, type WantedWheel } from '../../model/python/fitting-wheel.js';
import { EXPECTED } from '../http/body.js';
import { done, reasonOf, send, shown, textOf, type Ask, type Peer } from '../http/request.js';
import { readPage } from '../index/simple-page.js';
import { notAWheel, wheelAmbiguous, wheelDenied, wheelRedirects, wheelTooLarge } from './errors.js';

/** The largest wheels have 4 GB. */
const MOST_BYTES = 16 * 2 ** 30;
/** Every zip file begins so. */
const MAGIC = Buffer.from('PK');

export const createWheelServer = (patienceMs?: number): WheelServer => {
  const peer = (signal: AbortSignal): Peer => ({
    ...{ target: 'the server of the wheels', username: null, password: null, origin: null },
    ...{ signal, patienceMs },
  });
  return {
    find: (address, wanted, signal) =>
      address.endsWith('/') ? findInFolder(peer(signal), address, wanted) : findFile(peer(signal), address),
    download: (wheel, how) => download(peer(how.signal), wheel, how),
  };
};

async function findFile(peer: Peer, url: string): Promise<Located | Absent> {
  const seen = await ask(peer, url, { method: 'HEAD' });
  // Some servers answer GET alone.
  const answer = seen instanceof Response && [405, 501].includes(seen.status) ? await ask(peer, url) : seen;
  if (!(answer instanceof Response)) return answer;
  await done(answer);
  return answer.ok ? { url, name: nameIn(url) } : { absent: `answers HTTP ${answer.status}` };
}

async function findInFolder(peer: Peer, url: string, wanted: WantedWheel): Promise<Located | Absent> {
  const answer = await ask(peer, url, { headers: { accept: 'text/html', 'cache-control': 'no-cache' } });
  if (!(answer instanceof Response)) return answer;
  if (!answer.ok) {
    await done(answer);
    return { absent: `answers HTTP ${answer.status}` };
  }
  const text = await textOf(peer, answer, EXPECTED.page);
  const page = readPage(text, answer.headers.get('content-type') ?? '', answer.url) ?? [];
  const urls = new Map(page.map((file) => [nameIn(file.url), file.url]));
  const [name, ...more] = fittingWheels([...urls.keys()], wanted);
  if (name === undefined) return { absent: `lists ${urls.size} files, and no wheel that fits` };
  if (more.length > 0) throw fail(wheelAmbiguous(shown(url), [name, ...more]));
  return { url: urls.get(name)!, name };
}

async function download(peer: Peer, { url, name }: Located, how: Download): Promise<Downloaded | Absent | null> {
  const headers = { 'accept-encoding': 'identity', ...(how.etag !== null && { 'if-none-match': how.etag }) };
  const answer = await ask(peer, url, { headers });
  if (!(answer instanceof Response)) return answer;
  if (answer.status === 304 || !answer.ok) {
    await done(answer);
    return answer.status === 304 ? null : { absent: `answers HTTP ${answer.status}` };
  }
  const path = join(how.folder, nameFault(name) === null ? name : 'unnamed.whl');
  const cut = await save(answer, shown(url), path, peer.signal);
  return cut ?? { path, etag: answer.headers.get('etag') };
}

/** Writes a body to a file while it streams. Returns where it broke off; null if it is whole. */
async function save(answer: Response, url: string, path: string, signal: AbortSignal): Promise<Absent | null> {
  let bytes = 0;
  async function* judged(): AsyncGenerator<Uint8Array> {
    for await (const piece of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      if (bytes === 0) assertZip(answer, url, Buffer.from(piece));
      bytes += piece.length;
      if (bytes > MOST_BYTES) throw fail(wheelTooLarge(url, `${MOST_BYTES / 2 ** 30} GiB`));
      yield piece;
    }
  }
  try {
    await pipeline(judged, createWriteStream(path), { signal });
  } catch (error) {
    if (error instanceof SlipwayFailure || signal.aborted || isOfDisk(error)) throw error;
    return { absent: `broke off after ${bytes} bytes: ${reasonOf(error)}` };
  }
  if (bytes === 0) throw fail(notAWheel(url, typeOf(answer), ''));
  return null;
}

const isOfDisk = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall === 'write';

function assertZip(answer: Response, url: string, piece: Buffer): void {
  if (!MAGIC.equals(piece.subarray(0, MAGIC.length)))
    throw fail(notAWheel(url, typeOf(answer), piece.subarray(0, 40).toString('latin1')));
}

const typeOf = (answer: Response): string => answer.headers.get('content-type') ?? 'none';

/** Sends a request. A server that gives no answer is no failure: it is asked again. */
async function ask(peer: Peer, url: string, what: Ask = {}): Promise<Response | Absent> {
  try {
    const answer = await send(peer, url, what);
    if (answer.status === 401) throw fail(wheelDenied(shown(url)));
    return answer;
  } catch (error) {
    if (!(error instanceof SlipwayFailure) || error.first.code !== 'TARGET_UNREACHABLE') throw error;
    if (/redirect count exceeded/.test(error.first.message)) throw fail(wheelRedirects(shown(url)), error);
    return { absent: `gives no answer: ${reasonOf(error.cause)}`, silent: true };
  }
}

/** The last part of an address, decoded. */
function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').pop() ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
