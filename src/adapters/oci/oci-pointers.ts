import type { Connection, PointerTarget, Session } from '../../activities/publish/ports.js';
import { done } from '../http/request.js';
import { putManifest, readManifest } from './copy.js';
import { openTarget } from './oci-target.js';
import { expectOk, headManifest, type Repository } from './registry.js';

/** Tags of a repository as names that move. */
export function createOciPointers(to: Connection, session: Session): PointerTarget {
  const repository = openTarget(to, session);
  return {
    tags: () => allTags(repository),
    digestOf: (tag) => headManifest(repository, tag),
    async point(tag, digest) {
      const { text, type } = await readManifest(repository, digest);
      await putManifest(repository, tag, text, type);
    },
  };
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
