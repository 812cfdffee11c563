import { openIndexes } from '../../../../src/adapters/facts/index-answers/index.js';
import type { AskedProject, IndexAnswer } from '../../../../src/importers/index.js';

export const HOUR_MS = 3_600_000;
export const WHEEL = { filename: 'six-1.17.0-py2.py3-none-any.whl', hashes: { sha256: 'a'.repeat(64) }, size: 11_050 };
export const SDIST = {
  ...{ filename: 'six-1.17.0.tar.gz', hashes: { sha256: 'b'.repeat(64) }, size: 34_031, yanked: 'broken' },
  ...{ 'requires-python': '!=3.0.*,>=2.7', 'upload-time': '2024-12-04T17:35:26.475808Z' },
};
export const OLD = { filename: 'six-1.16.0.tar.gz', hashes: { sha256: 'c'.repeat(64) }, size: 34_041 };

interface How {
  readonly versions?: AskedProject['versions'];
  readonly maxAgeMs?: number;
  readonly offline?: boolean;
  readonly nowMs?: number;
}

/** Asks as a new planning would. */
export async function asked(
  name: string,
  { versions = ['1.17.0'], maxAgeMs = 6 * HOUR_MS, offline = false, nowMs = Date.now() }: How = {},
): Promise<IndexAnswer> {
  const answers = await openIndexes({ offline, now: () => nowMs })([{ name, versions }], maxAgeMs);
  return answers[name]!;
}

export const problemOf = (asking: Promise<unknown>): Promise<unknown> =>
  asking.then(
    () => null,
    (error: { problems: readonly { code: string; class: string }[] }) => error.problems[0],
  );
