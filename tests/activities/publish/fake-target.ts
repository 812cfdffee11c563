import type { Item, Observed, PublishTarget, Targets } from '../../../src/activities/publish/ports.js';
import type { Digest } from '../../../src/model/digest.js';
import { fail, type Problem } from '../../../src/model/failure.js';

/** A registry in memory, and how it behaves. It remembers what it was asked, in order. */
export interface FakeTarget {
  readonly targets: Targets;
  readonly asked: string[];
  /** Digest by name; a file's label `as` is its name here. */
  readonly held: Map<string, Digest>;
  /** Names that it refuses to show. */
  readonly hides: Set<string>;
  /** Behaviour of an upload; it keeps the files if it calls `keep`. */
  uploads: (keep: () => void) => Promise<void>;
  /** Looks after an upload that still find nothing. */
  showsAfter: number;
  refuses: readonly Problem[];
  /** Problems that the target finds in all items at once. */
  checks: readonly Problem[];
}

export function fakeTarget(): FakeTarget {
  const asked: string[] = [];
  const held = new Map<string, Digest>();
  let hidden = 0;
  let sent = new Set<string>();
  const keep = (items: readonly Item[]) => (): void => {
    for (const { name, artifact } of items) held.set(name, artifact.digest);
    sent = new Set(items.map(({ name }) => name));
    hidden = fake.showsAfter;
  };
  const observe = async ({ name }: Item): Promise<Observed> => {
    asked.push(`look ${name}`);
    if (fake.hides.has(name)) throw new Error(`403 for ${name}`);
    if (sent.has(name) && hidden-- > 0) return { state: 'absent' };
    const digest = held.get(name);
    return digest === undefined ? { state: 'absent' } : { state: 'present', digest };
  };
  const open = (): PublishTarget => ({
    prove: async (project, version, tags, items = []) => {
      if (!project || !version || tags.length > 0) throw new Error('asked for something else');
      asked.push(`prove ${items.map(({ name }) => name).join(' ')}`);
      if (fake.refuses.length > 0) throw fail(fake.refuses);
      return null;
    },
    items: (artifact, tags) =>
      (artifact.kind === 'image' ? tags : [artifact.labels['as'] ?? artifact.name]).map((name) => ({
        artifact,
        name,
        url: `fake:${name}`,
      })),
    check: () => fake.checks,
    observe,
    upload: async (items) => {
      asked.push(`upload ${items.map(({ name }) => name).join(' ')}`);
      await fake.uploads(keep(items));
    },
    replace: async ({ name }) => {
      asked.push(`replace ${name}`);
      held.delete(name);
    },
    complete: async (items) => void asked.push(`complete ${items.map(({ name }) => name).join(' ')}`),
    source: () => Promise.reject(new Error('nobody installs from it')),
  });
  const fake: FakeTarget = {
    ...{ asked, held, hides: new Set<string>(), showsAfter: 0, refuses: [], checks: [] },
    targets: { open, pointers: () => null },
    uploads: async (kept) => kept(),
  };
  return fake;
}
