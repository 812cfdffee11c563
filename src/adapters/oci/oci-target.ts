import type {
  Connection,
  Credential,
  Found,
  Item,
  Observed,
  PublishTarget,
  Session,
} from '../../activities/publish/ports.js';
import type { Artifact } from '../../model/artifact.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { stagingMissing } from '../http/errors.js';
import { done, peerOf } from '../http/request.js';
import { copyImage, putManifest } from './copy.js';
import { readManifest } from './manifest.js';
import { expectOk, headManifest, hostOf, openRepository, rootOf, type Repository } from './registry.js';

/** A repository of a container registry. Images come from staging by digest. No registry enforces immutable tags, so
 * Slipway looks before it writes and runs one publish step at a time. */
export function createOciTarget(to: Connection, session: Session): PublishTarget {
  const repository = openTarget(to, session);
  return {
    async prove(_project, version, tags) {
      if (to.password !== null) await tryUpload(repository);
      return found(repository, to.repository ?? '', tags.length > 0 ? tags : [version]);
    },
    items: (artifact, tags) => tags.map((tag) => itemOf(repository, to.repository ?? '', artifact, tag)),
    observe: (item) => observe(repository, item),
    async upload(items) {
      for (const item of items) await uploadImage(to, session, repository, item);
    },
    replace: (item, bytes) => uploadImage(to, session, repository, item, bytes),
    source: async () => ({ address: repository.reference, credential: credentialOf(to) }),
  };
}

/** The engine itself exchanges this credential for tokens. */
const credentialOf = ({ username, password, readsOpenly }: Connection): Credential | null =>
  password === null || readsOpenly ? null : { username: username ?? '', password };

/** Opens a repository of staging, which holds images by digest. Throws STAGING_MISSING without a staging registry.
 * @param name of what asks, for messages
 * @param repository the image's label of that name */
export function openStaging(
  { name, staging, stagingLogin }: Pick<Connection, 'name' | 'staging' | 'stagingLogin'>,
  repository: string,
  { signal }: Pick<Session, 'signal'>,
): Repository {
  if (staging === null) throw fail(stagingMissing(name));
  const { username = null, password = null } = stagingLogin ?? {};
  const peer = { target: 'staging', username, password, origin: new URL(rootOf(staging)).origin, signal };
  return openRepository(peer, staging, { repository });
}

export function openTarget(to: Connection, session: Session): Repository {
  const peer = { ...peerOf(to, session), origin: new URL(rootOf(to.address)).origin };
  const realm = to.extra?.kind === 'oci' ? to.extra.realm : null;
  return openRepository(peer, to.address, { repository: to.repository ?? '', realm });
}

async function found(repository: Repository, name: string, tags: readonly string[]): Promise<readonly Found[]> {
  const there: Found[] = [];
  for (let at = 0; at < tags.length; at += AT_ONCE) {
    const asked = tags.slice(at, at + AT_ONCE).map(async (tag) => {
      const digest = await headManifest(repository, tag);
      return digest === null ? [] : [{ name: `${name}:${tag}`, digest }];
    });
    there.push(...(await Promise.all(asked)).flat());
  }
  return there;
}

/** Parallel requests: a matrix has hundreds of tags, and a remote registry takes 100 ms for each. */
const AT_ONCE = 8;

/** Starts and cancels an upload, which detects a read-only token before anything is built. */
async function tryUpload(repository: Repository): Promise<void> {
  const begun = await expectOk(
    repository,
    await repository.ask('blobs/uploads/', { method: 'POST' }),
    'the start of an upload',
  );
  await done(begun);
  const location = begun.headers.get('location');
  if (location !== null) await done(await repository.ask(new URL(location, begun.url).href, { method: 'DELETE' }));
}

const itemOf = (repository: Repository, name: string, artifact: Artifact, tag: string): Item => ({
  artifact,
  name: `${name}:${tag}`,
  url: `${repository.reference}:${tag}`,
});

const tagOf = (item: Item): string => item.name.slice(item.name.lastIndexOf(':') + 1);

async function observe(repository: Repository, item: Item): Promise<Observed> {
  const digest = await headManifest(repository, tagOf(item));
  return digest === null ? { state: 'absent' } : { state: 'present', digest };
}

async function uploadImage(
  to: Connection,
  session: Session,
  repository: Repository,
  item: Item,
  over: Digest | null = null,
): Promise<void> {
  const from = openStaging(to, item.artifact.labels['repository'] ?? item.artifact.name, session);
  session.log.write(
    `copying ${from.reference}@${item.artifact.digest} to ${repository.reference} (${hostOf(to.address)})\n`,
  );
  await copyImage(from, repository, item.artifact.digest, (line) => session.log.write(line));
  const there = await headManifest(repository, tagOf(item));
  if (there !== null && there !== over) return; // another writer was first; `observe` compares its bytes next
  const { text, type } = await readManifest(repository, item.artifact.digest);
  await putManifest(repository, tagOf(item), text, type);
}
