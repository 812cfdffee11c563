import type { Connection, Origin, PointerTarget, Session } from '../../activities/publish/ports.js';
import { fail } from '../../model/failure.js';
import type { Digest } from '../../model/digest.js';
import { EXPECTED } from '../http/body.js';
import { targetNotUnderstood } from '../http/errors.js';
import { done, jsonOf } from '../http/request.js';
import { putManifest } from './copy.js';
import { DEEPEST, readManifest } from './manifest.js';
import { openTarget } from './oci-target.js';
import { expectOk, headManifest, type Repository } from './registry.js';

export function createOciPointers(to: Connection, session: Session): PointerTarget {
  const repository = openTarget(to, session);
  return {
    tags: () => allTags(repository),
    digestOf: (tag) => headManifest(repository, tag),
    originOf: (digest) => originOf(repository, digest),
    async point(tag, digest) {
      const { text, type } = await readManifest(repository, digest);
      await putManifest(repository, tag, text, type);
    },
  };
}

/** Reads labels by the OCI annotation rules: github.com/opencontainers/image-spec/blob/main/annotations.md */
async function originOf(repository: Repository, digest: Digest, depth = 1): Promise<Origin | null> {
  const { manifest } = await readManifest(repository, digest);
  const [child] = manifest.manifests ?? [];
  if (child && depth < DEEPEST) return originOf(repository, child.digest, depth + 1);
  if (!manifest.config) return null;
  const what = `the configuration of ${digest}`;
  const answer = await expectOk(repository, await repository.ask(`blobs/${manifest.config.digest}`), what);
  const content = await jsonOf(repository.peer, answer, EXPECTED.configuration);
  const { config } = (content ?? {}) as { config?: { Labels?: Record<string, unknown> | null } };
  const label = (name: string): string => {
    const value = config?.Labels?.[`org.opencontainers.image.${name}`];
    return typeof value === 'string' ? value : '';
  };
  const origin = { revision: label('revision'), created: label('created') };
  return origin.revision && origin.created ? origin : null;
}

const MOST_PAGES = 1_000;

/** Reads all pages of tags. Throws TARGET_NOT_UNDERSTOOD if there are too many. */
async function allTags(repository: Repository): Promise<readonly string[]> {
  const all: string[] = [];
  let page: string | null = 'tags/list?n=1000';
  for (let pages = 0; page !== null; pages += 1) {
    const response: Response = await repository.ask(page);
    if (response.status === 404) return done(response).then(() => all);
    if (pages >= MOST_PAGES) await endless(repository, response);
    const listed = await expectOk(repository, response, 'a list of tags');
    const { tags } = ((await jsonOf(repository.peer, listed, EXPECTED.tags)) ?? {}) as { tags?: unknown };
    for (const tag of Array.isArray(tags) ? tags : []) if (typeof tag === 'string') all.push(tag);
    page = nextIn(response.headers.get('link') ?? '', response.url);
  }
  return all;
}

async function endless({ peer, reference }: Repository, response: Response): Promise<never> {
  await done(response);
  throw fail(targetNotUnderstood(peer.target, reference, `a registry: its list of tags has over ${MOST_PAGES} pages`));
}

/** The address of the next page in a Link header (RFC 8288). Null without one. */
function nextIn(header: string, base: string): string | null {
  for (const link of header.split('<').slice(1)) {
    const end = link.indexOf('>');
    const address = link.slice(0, end);
    if (end > 0 && /^\s*;\s*rel="?next"?/i.test(link.slice(end + 1)) && URL.canParse(address, base))
      return new URL(address, base).href;
  }
  return null;
}
