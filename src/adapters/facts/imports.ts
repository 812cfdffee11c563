import { resolve } from 'node:path';
import { IMPORTERS, type Ask, type ImportedEntry, type ImportFacts } from '../../importers/index.js';
import { fail, type Problem } from '../../model/failure.js';
import type { GitFacts } from '../../plan/facts.js';
import { problems } from '../../plan/errors.js';
import { importsOf, withImports } from '../../plan/imports.js';
import { inOrder } from '../../plan/in-order.js';
import type { ReadFile } from '../../plan/read/release-file.js';
import { type Repository, withRepository } from '../git/index.js';
import { problems as mistakes } from './errors.js';

/** An importer with more rounds is taken for endless. */
const MOST_ROUNDS = 10;
const FAN_OUT = 16;

interface Commit {
  readonly repository: Repository;
  /** `COMMIT:` or `COMMIT:folder/`. */
  readonly top: string;
}

/** Returns the release file with its imports from the commit. Throws every problem of all imports at once. */
export async function imported(file: ReadFile, facts: GitFacts | null, folder: string): Promise<ReadFile> {
  const asked = importsOf(file);
  if (asked.length === 0) return file;
  const { source } = file.content;
  if (facts === null || !('git' in source))
    throw fail(asked.map(([name]) => problems.notImported(file.at(['deps', name]))));
  const top = source.folder === undefined ? `${facts.commit}:` : `${facts.commit}:${source.folder}/`;
  const found: Problem[] = [];
  const made: Record<string, readonly ImportedEntry[]> = {};
  await withRepository(resolve(folder, source.git), async (repository) => {
    for (const [name, entry] of asked) made[name] = await entriesOf(entry, { repository, top }, found);
  });
  if (found.length > 0) throw fail(inOrder(found));
  return withImports(file, made);
}

type Entry = Parameters<typeof IMPORTERS.raydepsets>[0] & { readonly import: keyof typeof IMPORTERS };

async function entriesOf(entry: Entry, commit: Commit, found: Problem[]): Promise<readonly ImportedEntry[]> {
  const facts = { text: {}, folder: {}, present: {} };
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const said = IMPORTERS[entry.import](entry, facts);
    if (!('asks' in said)) {
      found.push(...said.findings);
      return said.entries;
    }
    await answer(said.asks, commit, facts);
  }
  throw fail(mistakes.importEndless(entry.import, MOST_ROUNDS));
}

type Answers = { -readonly [K in keyof ImportFacts]: Record<string, ImportFacts[K][string]> };

async function answer(asks: readonly Ask[], { repository, top }: Commit, facts: Answers): Promise<void> {
  const queue = [...asks];
  const work = async (): Promise<void> => {
    for (let ask = queue.pop(); ask !== undefined; ask = queue.pop()) {
      const { path } = ask;
      const object = `${top}${path === '.' ? '' : path}`;
      if (ask.ask === 'text') facts.text[path] = await repository.ask('cat-file', 'blob', object).catch(() => null);
      if (ask.ask === 'present')
        facts.present[path] = await repository.ask('cat-file', '-e', object).then(
          () => true,
          () => false,
        );
      if (ask.ask === 'folder')
        facts.folder[path] = await repository.ask('ls-tree', '-z', '--name-only', object).then(
          (names) => names.split('\0').filter(Boolean),
          () => null,
        );
    }
  };
  await Promise.all(Array.from({ length: FAN_OUT }, work));
}
