import { SlipwayFailure } from '../../../model/failure.js';
import { Refusal, refuse, wordsOf } from './refusal.js';
import { WhenReader } from './when-reader.js';
import { type Host, isTrue, Unknown } from './when-words.js';

/** Whether a condition holds, or why nobody can tell. `unknown`: key of `host` that would tell. */
export type Told = { readonly holds: boolean } | { readonly why: string; readonly unknown: string | null };

const WORD = /\s+|r?'(?:[^'\\\n]|\\.)*'|r?"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|[=!]=|[()[\],.]/y;
const LONGEST = 2_000;

/** Evaluates a condition of a spack.yaml, which Spack evaluates as Python. Nothing but its own grammar is understood: comparisons,
 * texts, lists, the names of `Host`, and functions of `env` and `re`. Expressions are RE2. */
export function evaluateWhen(text: string, host: Host): Told {
  try {
    if (text.length > LONGEST) refuse(`it has ${text.length} characters, and at most ${LONGEST} are read`);
    const words = wordsOf(text, WORD).map(([word]) => word);
    return { holds: isTrue(new WhenReader(words).whole()(host)) };
  } catch (error) {
    if (error instanceof Refusal) return { why: error.message, unknown: error instanceof Unknown ? error.key : null };
    if (error instanceof SlipwayFailure) return { why: error.problems[0]!.message, unknown: null };
    throw error;
  }
}
