import type { Connection, Found, Item, Observed, PublishTarget, Session } from '../../activities/publish/ports.js';
import type { Artifact } from '../../model/artifact.js';
import { fail } from '../../model/failure.js';
import { targetDenied, targetNameUnknown, targetNotUnderstood } from '../http/errors.js';
import { digestOfBody, done, request, shown, type Peer } from '../http/request.js';
import { fileVersion } from './file-version.js';
import { ACCEPT, normalised, readPage, type ListedFile } from './simple-page.js';
import { isAddress, twineUpload } from './twine.js';

/** A Python package index: devpi, or anything that speaks twine's upload and the simple API. */
export function createPythonIndex(to: Connection, session: Session): PublishTarget {
  const peer: Peer = { target: to.name, username: to.username, password: to.password, signal: session.signal };
  let simple: Promise<string> | null = null;
  const readFrom = (): Promise<string> => (simple ??= findSimple(peer, to));
  const list = async (project: string): Promise<readonly ListedFile[]> => projectPage(peer, await readFrom(), project);
  return {
    takes: ['wheel', 'sdist'],
    undo: 'yank the release on the index; a volatile index can also delete it',
    async prove(project, version) {
      await login(peer, to);
      const files = await list(project);
      return files
        .filter((file) => fileVersion(project, file.name) === version)
        .map(({ name, digest }): Found => ({ name, digest }));
    },
    items: (artifact) => [{ artifact, name: artifact.name, url: new URL(artifact.name, asFolder(to.address)).href }],
    observe: async (item) => observe(peer, await list(projectOf(item.artifact)), item),
    upload: (items) => twineUpload(to, session, items),
    readFrom,
  };
}

async function observe(peer: Peer, files: readonly ListedFile[], item: Item): Promise<Observed> {
  const file = files.find((candidate) => candidate.name === item.name);
  if (!file) return { state: 'absent' };
  const digest = file.digest ?? (await digestOfBody(peer, await request(peer, file.url)));
  return { state: 'present', digest, url: shown(file.url) };
}

async function projectPage(peer: Peer, simple: string, project: string): Promise<readonly ListedFile[]> {
  const url = `${simple}${normalised(project)}/`;
  const response = await request(peer, url, { headers: { accept: ACCEPT, 'cache-control': 'no-cache' } });
  if (response.status === 404) {
    await done(response);
    return [];
  }
  const text = await response.text();
  if (!response.ok) throw fail(targetNotUnderstood(peer.target, shown(url), 'a Python index'));
  return readPage(text, response.headers.get('content-type') ?? '', response.url);
}

/** devpi reads at `+simple/`, most others at `simple/`, beside where they take uploads. */
async function findSimple(peer: Peer, to: Connection): Promise<string> {
  if (!isAddress(to.address)) throw fail(targetNameUnknown(to.name, to.address));
  const base = asFolder(to.address);
  for (const page of ['+simple/', 'simple/', '../simple/']) {
    const url = new URL(page, base).href;
    const response = await request(peer, url, { method: 'HEAD', headers: { accept: ACCEPT } });
    await done(response);
    if (response.ok) return url;
  }
  throw fail(targetNotUnderstood(to.name, shown(base), 'a Python index'));
}

/** devpi says where to log in; other servers check the credential only when something is uploaded. */
async function login(peer: Peer, to: Connection): Promise<void> {
  if (!isAddress(to.address) || to.password === null) return;
  const anonymous = { ...peer, password: null };
  const api = await request(anonymous, new URL('+api', asFolder(to.address)).href, {
    headers: { accept: 'application/json' },
  });
  const door = loginOf(await api.text());
  if (door === null) return;
  const body = JSON.stringify({ user: to.username ?? '', password: to.password });
  const answer = await request(anonymous, door, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await done(answer);
  if (!answer.ok) throw fail(targetDenied(to.name, shown(door), answer.status));
}

function loginOf(text: string): string | null {
  try {
    const login = (JSON.parse(text) as { result?: { login?: unknown } }).result?.login;
    return typeof login === 'string' && URL.canParse(login) ? login : null;
  } catch {
    return null; // not devpi: a page for people
  }
}

/** Project of a wheel or sdist, from its file name. */
function projectOf({ name }: Artifact): string {
  const stem = name.replace(/\.(whl|tar\.gz|zip|tar\.bz2)$/, '');
  return name.endsWith('.whl') ? stem.split('-')[0]! : stem.slice(0, stem.lastIndexOf('-'));
}

const asFolder = (address: string): string => (address.endsWith('/') ? address : `${address}/`);
