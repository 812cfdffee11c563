import { join } from 'node:path';
import type { BindepAnswer } from '../../../importers/index.js';
import type { Distribution } from '../../../model/debian.js';
import { digestOf } from '../../../model/digest.js';
import { fail, type Problem } from '../../../model/failure.js';
import { home } from '../../home.js';
import { makePrivate } from '../../private-home.js';
import { runPython } from '../python.js';
import { sha256 } from '../../sha256.js';
import { ASK_BINDEP } from './script.js';
import { readJsonLater, keepJson } from '../../json-file.js';

/** Raised when bindep's rules change with its version, or the form of an answer. */
const EPOCH = 2;

export interface BindepQuestion {
  readonly text: string;
  readonly platform: Distribution;
  readonly profiles: readonly string[];
}

/** Returns the packages that each file names. Answers stay in the home: they depend on the question alone. Throws BINDEP_FAILED. */
export async function askBindep(
  questions: readonly BindepQuestion[],
  folder = join(home(), 'bindep'),
): Promise<readonly BindepAnswer[]> {
  const files = questions.map((one) =>
    join(folder, `${digestOf({ EPOCH, ...one }, sha256).slice('sha256:'.length)}.json`),
  );
  const before = await Promise.all(files.map((file) => readJsonLater<BindepAnswer>(file)));
  const open = questions.filter((_, at) => before[at] === null);
  if (open.length === 0) return before as readonly BindepAnswer[];
  const { lines, fault, words } = await runPython<BindepAnswer>(ASK_BINDEP, open);
  if (fault !== null || lines.length !== open.length) throw fail(bindepFailed(fault, words));
  const after = [...lines];
  const all = before.map((known) => known ?? after.shift()!);
  await keep(files.flatMap((file, at) => (before[at] === null ? [[file, all[at]!] as const] : [])));
  return all;
}

async function keep(answers: readonly (readonly [file: string, answer: BindepAnswer])[]): Promise<void> {
  makePrivate(home());
  for (const [file, answer] of answers) await keepJson(file, answer);
}

const bindepFailed = (fault: string | null, words: readonly string[]): Problem => ({
  code: 'BINDEP_FAILED',
  class: 'config',
  message: `bindep ended without an answer: ${fault ?? 'it printed none'}`,
  next: 'Type `npm start`: it installs bindep among the tools. Then plan again.',
  evidence: words,
});
