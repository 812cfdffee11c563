import { classify } from '../../model/classify.js';
import type { Problem } from '../../model/failure.js';
import type { FailureEvidence, FailurePatternName } from '../../model/failure-patterns.js';
import {
  buildFailed,
  engineBusy,
  engineDiskFull,
  engineRefused,
  engineUnreachable,
  imageAbsent,
  notEmulated,
  programAbsent,
  registryDenied,
  registryTrouble,
} from './errors.js';

/** Returns the problem for an error of the engine's client.
 * @param what `pushing name:tag` @param status absent if the engine never answered */
export function classifyEngineError(what: string, message: string, status?: number): Problem {
  const why = message.trim() || (status === undefined ? '' : `status ${status}`);
  const of = status === undefined ? 'socket' : 'engine';
  if (/manifest unknown|name unknown|manifest for \S+ not found/i.test(why)) return imageAbsent(what, why);
  const absent = /exec: "([^"]+)": (?:executable file not found|stat .*: no such file)/.exec(why)?.[1];
  if (absent !== undefined) return programAbsent(what, absent);
  if (/unauthorized|no basic auth credentials|authentication required/i.test(why)) return registryDenied(what, why);
  return problemOf(what, why, { of, words: why }) ?? engineRefused(what, why);
}

/** Classifies a failed build: the product's fault, unless the machine or a registry failed. */
export function classifyBuildError(message: string, output: readonly string[]): Problem {
  const why = message.trim();
  const what = 'building the image';
  // A failed RUN reports its exit status. Its other output counts only if it shows a fault of the machine.
  const printed = classify({ of: 'build', words: `${why}\n${output.join('\n')}` }).sign;
  const words = printed !== null && OF_THE_MACHINE.includes(printed) ? `${why}\n${output.join('\n')}` : why;
  return problemOf(what, why, { of: 'build', words }) ?? buildFailed(why, output);
}

const OF_THE_MACHINE: readonly FailurePatternName[] = ['disk full', 'machine short', 'foreign program'];

function problemOf(what: string, why: string, evidence: FailureEvidence): Problem | null {
  switch (classify(evidence).sign) {
    case 'disk full':
      return engineDiskFull(what, why);
    case 'foreign program':
      return notEmulated(what, why);
    case 'busy':
      return engineBusy(what, why);
    case 'engine gone':
    case 'machine short':
      return engineUnreachable(what, why);
    case 'registry trouble':
      return registryTrouble(what, why);
    default:
      return null;
  }
}
