import { digestOf } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import type { Facts } from '../../plan/facts.js';
import type { FeaturePlan, Settings } from '../../plan/feature.js';
import { importsOf } from '../../plan/imports.js';
import { inOrder } from '../../plan/in-order.js';
import { unknownIn } from '../../plan/left-out.js';
import type { ReadFile } from '../../plan/read/release-file.js';
import { sha256 } from '../sha256.js';
import { type Answers, answersFrom, noAnswers } from './answers.js';
import { withCommit } from './answering.js';
import { problems as mistakes } from './errors.js';
import { missing, MOST_ROUNDS, type Source } from './imports.js';

type Around = Pick<Source, 'git' | 'folder' | 'given' | 'before'> & Pick<Facts, 'features'>;

/** Returns the release file as its settings change it, and the answers from which they are read: null if the file has none.
 * Throws every problem of the settings at once. */
export async function withSettings(
  file: ReadFile,
  { features, given, before, ...commit }: Around,
): Promise<{ readonly file: ReadFile; readonly answers: Answers | null }> {
  const answers = noAnswers();
  const say = ({ settings }: FeaturePlan) => settings?.(file, { given, facts: answers, hash: sha256 }) ?? null;
  const [own, other] = Object.entries(features).filter(([, feature]) => say(feature) !== null);
  const idle = given.preset ?? given.set ?? [];
  if (own === undefined && idle.length > 0) throw fail(mistakes.noSettings(file.at([]), idle));
  if (own === undefined) return { file, answers: null };
  const [name, feature] = own;
  if (other !== undefined) throw fail(mistakes.twoSettings(file.at([]), [name, other[0]]));
  const said = await withCommit(file, commit, async (answerAt): Promise<Settings | null> => {
    const answer = before ? answersFrom(before.settings ?? {}, missing) : answerAt(['source']);
    for (let round = 0; round <= MOST_ROUNDS; round += 1) {
      const found = say(feature);
      if (found === null || !('asks' in found)) return found;
      await answer(found.asks, answers);
    }
    throw fail(mistakes.importEndless(name, MOST_ROUNDS));
  });
  if (said === null) return { file, answers: null };
  // Entries that an import makes are not there yet, so ids are judged here only in a file without imports.
  const unknown = importsOf(file).length > 0 ? [] : unknownIn(file, given);
  if (said.findings.length > 0) throw fail(inOrder([...said.findings, ...unknown]));
  const { file: _, findings: __, ...kept } = said;
  const settings = { ...kept, digest: digestOf(said.document, sha256) };
  return { file: { ...said.file, settings }, answers };
}
