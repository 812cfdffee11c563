import { setTimeout as pause } from 'node:timers/promises';
import type { Connection, Item, Observed, PublishTarget, Session } from '../../activities/publish/ports.js';
import { digestOf, type Digest } from '../../model/digest.js';
import { fail, type Problem } from '../../model/failure.js';
import { sha256 } from '../sha256.js';
import { digestOfBody, done, peerOf, readAt, shown, type Peer } from '../http/request.js';
import { asFolder } from '../index/addresses.js';
import { itemOf } from '../maven-repository/maven-repository.js';
import { extraOf } from '../target-extra.js';
import { makeBundle, MOST_BYTES } from './bundle.js';
import { coordinatesAt, folderOf, judgeRelease } from './complete.js';
import { deploy, uploadedIds } from './deploy.js';
import { centralNotSynced, centralTooLarge } from './errors.js';
import { openPortal, type Portal } from './portal.js';

/** The repository shows a published file minutes after the portal. */
const SYNC_WAITS_MS: readonly number[] = [1_000, 5_000, 15_000, 30_000, 60_000, 60_000, 60_000];

/** Central Portal: one bundle per deployment, irrevocable once published. With `user-managed`, nothing is published
 * before Central has validated every file; until then the deployment can be dropped. */
export function createCentral(to: Connection, session: Session): PublishTarget {
  const { mode, reads } = extraOf(to, 'central');
  const peer = peerOf(to, session);
  const portal = openPortal(peer, asFolder(to.address));
  const repository = asFolder(reads);
  return {
    async prove(project, version, _tags, items = []) {
      const at = { namespace: project, name: project, version };
      await portal.isPublished(items.length === 0 ? at : coordinatesAt(folderOf(items[0]!.name)));
      return null; // the coordinates are unknown at the start
    },
    items: (artifact) => [itemOf(to.name, repository, artifact)],
    check: (items) => [
      ...judgeRelease(
        to.name,
        items.map(({ name }) => name),
      ),
      ...judgeSize(to.name, items),
    ],
    observe: (item) => observe({ to, session, peer: { ...peer, password: null }, portal, repository }, item),
    upload: (items) =>
      deploy({ target: to.name, portal, session, mode }, bytesOf(items), async () =>
        portal.upload(
          await makeBundle(to.name, session, items),
          nameOf(items),
          mode === 'automatic' ? 'AUTOMATIC' : 'USER_MANAGED',
        ),
      ),
    source: async () => ({ address: repository, credential: null }),
  };
}

/** Checksum files add a little; `makeBundle` checks the exact size. */
function judgeSize(target: string, items: readonly Item[]): readonly Problem[] {
  const bytes = items.reduce((sum, { artifact }) => sum + artifact.size, 0);
  return bytes > MOST_BYTES ? [centralTooLarge(target, bytes, MOST_BYTES)] : [];
}

interface Asking {
  readonly to: Connection;
  readonly session: Session;
  /** The repository, read without a credential. */
  readonly peer: Peer;
  readonly portal: Portal;
  readonly repository: string;
}

const nameOf = (items: readonly Item[]): string => {
  const { namespace, name, version } = coordinatesAt(folderOf(items[0]!.name));
  return `${namespace}:${name}:${version}`;
};

/** Digest of all names and bytes of an upload. */
const bytesOf = (items: readonly Item[]): Digest =>
  digestOf(
    items.map(({ name, artifact }) => [name, artifact.digest]),
    sha256,
  );

async function observe(asking: Asking, item: Item): Promise<Observed> {
  const { portal, session } = asking;
  if (!(await portal.isPublished(coordinatesAt(folderOf(item.name))))) return { state: 'absent' };
  const own = await ofDeployment(asking, item);
  if (own !== null) return own;
  for (const waitMs of [...SYNC_WAITS_MS, 0]) {
    const seen = await inRepository(asking, item);
    if (seen !== null) return seen;
    if (waitMs > 0)
      await pause(Math.min(waitMs, session.longestWaitMs ?? waitMs), undefined, { signal: session.signal });
  }
  throw fail(centralNotSynced(asking.to.name, item.name, shown(asking.repository)));
}

/** Reads a file from this run's deployment. Null if none holds it. The repository shows it minutes later. */
async function ofDeployment({ portal, session, peer }: Asking, { name }: Item): Promise<Observed | null> {
  for (const id of await uploadedIds(session)) {
    if ((await portal.status(id))?.state !== 'PUBLISHED') continue;
    const response = await portal.download(id, name);
    if (response.ok) return { state: 'present', digest: await digestOfBody(peer, response) };
    await done(response);
  }
  return null;
}

async function inRepository({ peer, repository }: Asking, { name }: Item): Promise<Observed | null> {
  const digest = await readAt(peer, repository + name, digestOfBody);
  return digest && { state: 'present', digest };
}
