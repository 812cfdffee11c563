import type { Store } from '../../activities/ports.js';
import { isDigest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { problems } from './errors.js';
import type { SourceFacts } from './imports.js';
import { jsonIn } from '../../model/json.js';

/** Reads what a former plan read of its source. Throws FACTS_ABSENT. */
export async function formerFacts(digest: string, store: Store): Promise<SourceFacts> {
  if (!isDigest(digest) || !(await store.has(digest))) throw fail(problems.factsAbsent(digest));
  const chunks: Uint8Array[] = [];
  for await (const chunk of await store.get(digest)) chunks.push(chunk);
  const read = jsonIn(Buffer.concat(chunks).toString('utf8')) as Partial<SourceFacts> | null;
  if (typeof read !== 'object' || !read?.imports) throw fail(problems.factsAbsent(digest));
  return read as SourceFacts;
}
