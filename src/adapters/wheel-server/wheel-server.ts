import { join } from 'node:path';
import type { Absent, Download, Downloaded, Located, WheelServer } from '../../activities/wheels/taken/ports.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { nameFault } from '../../model/file-name.js';
import { fittingWheels, type WantedWheel } from '../../model/python/fitting-wheel.js';
import { EXPECTED } from '../http/body.js';
import { done, reasonOf, send, shown, textOf, type Ask, type Peer } from '../http/request.js';
import { readPage } from '../index/simple-page.js';
import { wheelAmbiguous, wheelDenied, wheelRedirects } from './errors.js';
import { save } from './save.js';

/** Wheels of web servers and of buckets. The package for buckets is loaded with the first address of one. */
export const createWheelServer = (): WheelServer => {
  let buckets: Promise<WheelServer> | null = null;
  const serverOf = (address: string): WheelServer | Promise<WheelServer> =>
    address.startsWith('s3://')
      ? (buckets ??= import('./bucket-wheels.js').then(({ createBucketWheels }) => createBucketWheels(process.env)))
      : WEB;
  return {
    find: async (address, wanted, signal) => (await serverOf(address)).find(address, wanted, signal),
    download: async (wheel, how) => (await serverOf(wheel.url)).download(wheel, how),
  };
};

const peer = (signal: AbortSignal): Peer => ({
  target: 'the server of the wheels',
  username: null,
  password: null,
  origin: null,
  signal,
});
const WEB: WheelServer = {
  find: (address, wanted, signal) =>
    address.endsWith('/') ? findInFolder(peer(signal), address, wanted) : findFile(peer(signal), address),
  download: (wheel, how) => download(peer(how.signal), wheel, how),
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
  const type = answer.headers.get('content-type') ?? 'none';
  const cut = await save(answer.body ?? [], { url: shown(url), type }, path, peer.signal);
  return cut ?? { path, etag: answer.headers.get('etag') };
}

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
