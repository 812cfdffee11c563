import type { Past } from '../../activities/plan/ports.js';
import { entryOf } from '../../model/ids.js';
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
  if (source.before !== null || first.source === null || !importsOf(file).some(isJudged)) return first;
  const builds = await past.failed();
  const failed = new Set([...builds.steps].map(entryOf));
  if (failed.size === 0) return first;
  const before: SourceFacts = first.source;
  const all = await imported(file, { ...source, before, tries: null });
  const names = Object.values(all.imported).flatMap((entries) => entries.map(({ name }) => `wheels/${name}`));
  if (!names.some((name) => failed.has(name))) return first;
  const tries = await builds.of(plan(all.file, facts));
  return Object.keys(tries).length === 0 ? first : imported(file, { ...source, before, tries });
}

/** Builds of wheel lists have verdicts. */
const isJudged = ({ say }: ReturnType<typeof importsOf>[number]): boolean => say.import === 'wheel-list';
