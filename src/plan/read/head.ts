import type { Problem } from '../../model/failure.js';
import { problems } from '../errors.js';
import type { Source } from './document.js';

/** Returns what is wrong with the head of a release file: it has `release` or `pipeline`, a source, and a
 * release has platforms. */
export function headProblems({ value, at }: Source): readonly Problem[] {
  const has = (key: string): boolean => (value as Readonly<Record<string, unknown>>)[key] !== undefined;
  if (!has('release') && !has('pipeline')) return [problems.noHead(at([]))];
  if (has('release') && has('pipeline')) return [problems.twoHeads(at(['pipeline'], 'key'))];
  return [
    ...(has('source') || has('sources') || importsSources(value) ? [] : [problems.missingKey(at([]), 'source')]),
    ...(has('release') && !has('platforms') ? [problems.missingKey(at([]), 'platforms')] : []),
  ];
}

/** Whether an entry makes sources: `wheels.NAME.import: wheel-list`. Its schema is not checked yet. */
function importsSources(value: unknown): boolean {
  const { wheels } = value as { readonly wheels?: unknown };
  return Object.values(wheels ?? {}).some(
    (one: unknown) => (one as { import?: unknown } | null)?.import === 'wheel-list',
  );
}
