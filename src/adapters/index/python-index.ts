import type { Connection, Found, Item, Observed, PublishTarget, Session } from '../../activities/publish/ports.js';
import { fail } from '../../model/failure.js';
import { normalName, parseFileName, versionInName } from '../../model/python/file-name.js';
import { sameVersion } from '../../model/python/version.js';
import { once } from '../../model/once.js';
import { EXPECTED } from '../http/body.js';
import { targetNotUnderstood } from '../http/errors.js';
import {
  createReader,
  digestOfBody,
  done,
  isOwn,
  peerOf,
  shown,
  textOf,
  type Peer,
  type Reader,
} from '../http/request.js';
import { asFolder, findSimple, indexAddresses, isAddress } from './addresses.js';
import { proveUpload, removeFile } from './devpi.js';
import { ACCEPT, readPage, type ListedFile } from './simple-page.js';
import { twineUpload } from './twine.js';

/** A Python package index: devpi, or any server with twine's upload API and the simple API. */
export function createPythonIndex(to: Connection, session: Session): PublishTarget {
  const peer = peerOf(to, session);
  const reader = createReader(peer);
  const addresses = once(() => indexAddresses(to, session));
  const simple = once(async () => findSimple(reader, to.name, await addresses()));
  const list = async (project: string): Promise<readonly ListedFile[]> =>
    projectPage(peer, reader, `${await simple()}${normalName(project)}/`);
  return {
    async prove(project, version) {
      const [files] = await Promise.all([list(project), addresses().then(({ upload }) => proveUpload(peer, upload))]);
      const there = files.filter((file) => sameVersion(versionInName(project, file.name) ?? '', version));
      return there.map(({ name, digest }): Found => ({ name, digest }));
    },
    items: (artifact) => [{ artifact, name: artifact.name, url: urlOf(to.address, artifact.name) }],
    observe: async (item) => observe(peer, reader, await list(parseFileName(item.name)?.project ?? item.name), item),
    upload: (items) => twineUpload(to, session, items),
    async replace(item, bytes) {
      const files = await list(parseFileName(item.name)?.project ?? item.name);
      for (const { name, digest, url } of files)
        if (name === item.name && digest === bytes) await removeFile(peer, url);
    },
    source: async () => {
      const address = await simple();
      return { address, credential: isOwn(peer, address) ? reader.credential() : null };
    },
  };
}

/** Address until the index reports the file's own. */
const urlOf = (address: string, file: string): string =>
  isAddress(address) ? shown(new URL(file, asFolder(address)).href) : `${address}:${file}`;

async function observe(peer: Peer, reader: Reader, files: readonly ListedFile[], item: Item): Promise<Observed> {
  const file = files.find((candidate) => candidate.name === item.name);
  if (!file) return { state: 'absent' };
  const digest = file.digest ?? (await digestOfBody(peer, await reader.read(file.url)));
  return { state: 'present', digest, url: shown(file.url) };
}

async function projectPage(peer: Peer, reader: Reader, url: string): Promise<readonly ListedFile[]> {
  const response = await reader.read(url, { headers: { accept: ACCEPT, 'cache-control': 'no-cache' } });
  if (response.status === 404) {
    await done(response);
    return [];
  }
  const text = await textOf(peer, response, EXPECTED.page);
  const type = response.headers.get('content-type') ?? '';
  const files = response.ok ? readPage(text, type, response.url) : null;
  if (!files) throw fail(targetNotUnderstood(peer.target, shown(url), 'a Python index'));
  return files;
}
