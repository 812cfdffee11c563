import type { Past } from '../../activities/plan/ports.js';
import { withoutHash } from '../../model/id-prefixes.js';
import { entryOf } from '../../model/ids.js';
import { remembersFailures } from '../../model/schema/entry-forms.js';
import type { Facts } from '../../plan/facts.js';
import { importsOf } from '../../plan/imports.js';
import { plan } from '../../plan/plan.js';
import type { ReadFile } from '../../plan/read/release-file.js';
import { imported, type Source, type SourceFacts, type WithImports } from './imports.js';

interface Around extends Omit<Source, 'tries' | 'listed' | 'pure' | 'answers'> {
  readonly past: Past;
  /** Facts for a plan, besides those of imports. */
  readonly facts: Facts;
}

/** Returns the release file with its imports, which know what failed before. A plan with all builds says which failures are theirs. */
export async function importedWithTries(file: ReadFile, { past, facts, ...around }: Around): Promise<WithImports> {
  const source = { ...around, listed: past.listed, pure: past.pure, answers: past.answers };
  const first = await imported(file, { ...source, tries: source.before?.tries ?? {} });
  const isAsked = importsOf(file).some(({ say }) => remembersFailures(say.import));
  if (source.before !== null || first.source === null || !isAsked) return first;
  const builds = await past.failed();
  const failed = new Set([...builds.steps].map(entryOf));
  if (failed.size === 0) return first;
  const before: SourceFacts = first.source;
  const all = await imported(file, { ...source, before, tries: null });
  const made = Object.entries(all.imported).flatMap(([id, entries]) =>
    entries.map(({ section = id.split('/')[0]!, name }) => withoutHash(`${section}/${name}`)),
  );
  if (!made.some((id) => failed.has(id))) return first;
  const tries = await builds.of(plan(all.file, facts));
  return Object.keys(tries).length === 0 ? first : imported(file, { ...source, before, tries });
}
