import type { Problem } from './failure.js';
import type { RunId, StepId } from './ids.js';
import type { Round } from './rounds.js';

/** A word of an operator to a run. CLI, SDK, Update and Signal send the same object. */
export type Word = WordShape & {
  /** The name that the sender gives. Temporal passes no authenticated caller. */
  readonly by?: string;
};
type WordShape =
  /** Tries held steps again; without a step all of them. `from`: this step and all that stands on it, even where done. */
  | { readonly word: 'retry'; readonly step?: StepId; readonly from?: StepId; readonly reason?: string }
  /** Leaves a step out that is held or has not begun; the edges of the plan say what that means for others. */
  | { readonly word: 'skip'; readonly step: StepId; readonly reason: string }
  /** Stops a running step, which then is held; without a step the whole run. */
  | { readonly word: 'cancel'; readonly step?: StepId; readonly reason?: string }
  /** Starts nothing more until `resume`; what runs goes on. */
  | { readonly word: 'pause'; readonly reason?: string }
  | { readonly word: 'resume'; readonly reason?: string }
  /** Opens a gate for the bytes of one manifest. `signature`: of `approvalText`, by an OpenSSH key. */
  | ({ readonly word: 'approve'; readonly reason?: string } & ForGate)
  /** Shuts a gate: nothing behind it goes out. */
  | ({ readonly word: 'reject'; readonly reason: string } & ForGate)
  /** Changes nothing; stands in the audit. */
  | { readonly word: 'note'; readonly reason: string };

interface ForGate {
  readonly gate: string;
  /** Digest of the sealed manifest that it is about. */
  readonly manifest: string;
  /** When it stops counting, ISO 8601. */
  readonly expires?: string;
  readonly signature?: string;
}

/** Words that the scheduler answers; the cancel of a whole run is an input of its own. */
export type StepWord =
  Exclude<Word, { word: 'cancel' }> | (Extract<Word, { word: 'cancel' }> & { readonly step: StepId });

/** `reason (by)`, as it stands in status, verdict, manifest and audit. */
export function whyOf(
  { reason, by }: { readonly reason?: string; readonly by?: string },
  otherwise = 'no reason told',
): string {
  return by === undefined ? (reason ?? otherwise) : `${reason ?? otherwise} (${by})`;
}

/** The answer to a word. */
export type WordAnswer =
  | {
      readonly ok: true;
      readonly did: string;
      readonly steps: readonly StepId[];
      /** The round that `retry --from` began. */
      readonly round?: Round;
    }
  | { readonly ok: false; readonly problem: Problem };

/** Preview of `retry --from`. Answer of the query `rerun`. */
export type RerunPreview =
  | {
      readonly ok: true;
      readonly from: StepId;
      /** Results that stay: these steps do not stand on it. */
      readonly reused: readonly StepId[];
      /** Run again, the first of them whatever is known of it; the others only where what they use came out otherwise. */
      readonly again: readonly StepId[];
      /** Run now, and are stopped first. */
      readonly stopped: readonly StepId[];
      /** Results and approvals that would no longer count, and why. */
      readonly invalidated: readonly { readonly step: StepId; readonly why: string }[];
    }
  | { readonly ok: false; readonly problem: Problem };
export const RERUN_QUERY = 'rerun';

/** Names of the Update and the Signal that carry a whole word; each word is a Signal and an Update of its own, too. */
export const SAY = 'say';

/** A word as it came in, and what became of it: record `runs/<run>/audit/<no>`. */
export interface Audited {
  readonly no: number;
  /** Milliseconds since 1970, by the run's clock. */
  readonly at: number;
  /** The word, as far as it could be read. */
  readonly said: Word | { readonly word: string; readonly payload: string };
  readonly answer: WordAnswer;
}
/** Activity `keepAudit` on the control queue. */
export type KeepAudit = (input: { readonly run: RunId; readonly words: readonly Audited[] }) => Promise<void>;

/** A word with a signature by a large key takes a fifth of it. */
export const MOST_WORD_BYTES = 65_536;

/** Refuses what would fill a run's history. Null if it is short enough. @param payload as it is sent, of any shape */
export function wordTooLong(payload: unknown): Problem | null {
  const text = JSON.stringify(payload) ?? '';
  // A character takes three bytes at most.
  const bytes = text.length + 2 * (text.match(/[^\0-\x7f]/g)?.length ?? 0);
  return bytes <= MOST_WORD_BYTES
    ? null
    : {
        code: 'WORD_TOO_LONG',
        class: 'config',
        message: `the word has ${bytes} bytes, and a run's history takes at most ${MOST_WORD_BYTES} of one`,
        next: 'Keep the reason to a sentence, and name the address of a longer text.',
      };
}

const LONGEST_TEXT = 2_000;
const FIELDS = ['step', 'from', 'gate', 'manifest', 'reason', 'by', 'expires', 'signature'] as const;
type Field = (typeof FIELDS)[number];
/** A signature by a large key is longer than what people write. */
const LONGEST: Partial<Record<Field, number>> = { signature: 10_000 };
/** Required fields of each word. */
const ASKS: Readonly<Record<Word['word'], readonly Field[]>> = {
  retry: [],
  skip: ['step', 'reason'],
  cancel: [],
  pause: [],
  resume: [],
  note: ['reason'],
  approve: ['gate', 'manifest'],
  reject: ['gate', 'manifest', 'reason'],
};
const isWord = (name: unknown): name is Word['word'] => typeof name === 'string' && Object.hasOwn(ASKS, name);

/** Reads what somebody typed or sent: anything at all may come. A text alone is the step of words that take one, else the reason. */
export function readWord(name: string, payload: unknown): Word | Problem {
  const given = fieldsOf(payload);
  const word = name === SAY ? given['word'] : name;
  if (!isWord(word)) return notAWord(typeof word === 'string' ? word : (JSON.stringify(word) ?? ''));
  const plain: Readonly<Record<string, unknown>> =
    typeof payload === 'string' ? { [word === 'note' ? 'reason' : 'step']: payload } : given;
  const text = (key: Field): string | undefined => {
    const value = plain[key];
    return typeof value === 'string' && value.trim() !== ''
      ? value.trim().slice(0, LONGEST[key] ?? LONGEST_TEXT)
      : undefined;
  };
  const strange = FIELDS.filter((key) => plain[key] !== undefined && typeof plain[key] !== 'string');
  if (strange.length > 0) return wordNotUnderstood(word, `${strange.join(' and ')} must be text`);
  const missing = ASKS[word].filter((key) => text(key) === undefined);
  if (missing.length > 0)
    return wordNotUnderstood(word, `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing`);
  if (word === 'retry' && text('step') !== undefined && text('from') !== undefined)
    return wordNotUnderstood(word, 'either step or from, not both');
  const said = FIELDS.flatMap((key) => (text(key) === undefined ? [] : [[key, text(key)]]));
  return { word, ...Object.fromEntries(said) } as Word;
}

const fieldsOf = (payload: unknown): Readonly<Record<string, unknown>> =>
  typeof payload === 'object' && payload !== null && !Array.isArray(payload)
    ? (payload as Record<string, unknown>)
    : {};

export const isProblem = (read: Word | Problem): read is Problem => 'code' in read;

/** Returns the fields that an error lists for a word. */
const fieldsFor = (word: Word['word']): readonly Field[] =>
  isGateWord({ word })
    ? ['gate', 'manifest', 'reason', 'by', 'expires', 'signature']
    : word === 'retry'
      ? ['step', 'from', 'reason', 'by']
      : ['step', 'reason', 'by'];

export const isGateWord = <W extends { readonly word: string }>(
  said: W,
): said is Extract<W, { word: 'approve' | 'reject' }> => said.word === 'approve' || said.word === 'reject';

const notAWord = (said: string): Problem => ({
  code: 'NOT_A_WORD',
  class: 'config',
  message: `${JSON.stringify(said.slice(0, 80))} is no word that a run knows`,
  next: `Say one of ${Object.keys(ASKS).join(', ')}: {"word": "retry", "step": "wheels/skiff/cp312/linux-x86_64", "by": "you"}.`,
});

const needed = (keys: readonly string[]): string =>
  keys.length > 1 ? `${keys.join(' and ')} are required` : `${keys[0] ?? 'nothing'} is required`;

const wordNotUnderstood = (word: Word['word'], why: string): Problem => ({
  code: 'WORD_NOT_UNDERSTOOD',
  class: 'config',
  message: `${word}: ${why}`,
  next: `Send one JSON object: {${fieldsFor(word)
    .map((key) => `"${key}": "…"`)
    .join(', ')}}; ${needed(ASKS[word])}.`,
});
