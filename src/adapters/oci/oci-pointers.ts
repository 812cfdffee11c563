import type { Connection, Origin, PointerTarget, Session } from '../../activities/publish/ports.js';
import { done } from '../http/request.js';
import type { Digest } from '../../model/digest.js';
import { putManifest, readManifest, type Manifest } from './copy.js';
import { openTarget } from './oci-target.js';
import { expectOk, headManifest, type Repository } from './registry.js';

/** Tags of a repository as names that move. */
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

/** Labels by the OCI annotation rules: github.com/opencontainers/image-spec/blob/main/annotations.md */
async function originOf(repository: Repository, digest: Digest): Promise<Origin | null> {
  const manifest = JSON.parse((await readManifest(repository, digest)).text) as Manifest;
  const [child] = manifest.manifests ?? [];
  if (child) return originOf(repository, child.digest);
  if (!manifest.config) return null;
  const what = `the configuration of ${digest}`;
  const answer = await expectOk(repository, await repository.ask(`blobs/${manifest.config.digest}`), what);
  const { config } = (await answer.json()) as { config?: { Labels?: Record<string, string> | null } };
  const label = (name: string): string => config?.Labels?.[`org.opencontainers.image.${name}`] ?? '';
  const origin = { revision: label('revision'), created: label('created') };
  return origin.revision && origin.created ? origin : null;
}

/** All pages; `Link: <…>; rel="next"` names the next. */
async function allTags(repository: Repository): Promise<readonly string[]> {
  const all: string[] = [];
  let page: string | null = 'tags/list?n=1000';
  while (page !== null) {
    const response: Response = await repository.ask(page);
    if (response.status === 404) return done(response).then(() => all);
    const { tags } = (await (await expectOk(repository, response, 'a list of tags')).json()) as {
      tags?: string[] | null;
    };
    all.push(...(tags ?? []));
    const next = /<([^>]+)>\s*;\s*rel="?next"?/.exec(response.headers.get('link') ?? '')?.[1];
    page = next === undefined ? null : new URL(next, response.url).href;
  }
  return all;
}
