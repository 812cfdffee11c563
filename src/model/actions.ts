import type { Problem } from './failure.js';
import type { RunId, StepId } from './ids.js';
import type { Round } from './rounds.js';

/** An action of an operator to a run. CLI, SDK, Update and Signal send the same object. */
export type Action = ActionShape & {
  /** The sender's name as they give it. Temporal passes no authenticated caller. */
  readonly by?: string;
};
type ActionShape =
  /** Retries one held step, or all. `from`: reruns this step and its dependents, even finished ones. */
  | { readonly action: 'retry'; readonly step?: StepId; readonly from?: StepId; readonly reason?: string }
  /** Skips a step that is held or has not started. The plan's edges decide about its dependents. */
  | { readonly action: 'skip'; readonly step: StepId; readonly reason: string }
  /** Stops a running step, which is then held. Without a step, cancels the run. */
  | { readonly action: 'cancel'; readonly step?: StepId; readonly reason?: string }
  /** Starts no further step until `resume`. Running steps continue. */
  | { readonly action: 'pause'; readonly reason?: string }
  | { readonly action: 'resume'; readonly reason?: string }
  /** Opens a gate for the bytes of one manifest. `signature`: an OpenSSH signature of `approvalText`. */
  | ({ readonly action: 'approve'; readonly reason?: string } & ForGate)
  /** Shuts a gate, so that no step behind it runs. */
  | ({ readonly action: 'reject'; readonly reason: string } & ForGate)
  /** Changes nothing. The audit records it. */
  | { readonly action: 'note'; readonly reason: string };

interface ForGate {
  readonly gate: string;
  readonly manifest: string;
  /** Expiry, ISO 8601. */
  readonly expires?: string;
  readonly signature?: string;
}

/** Actions that the scheduler answers; the cancel of a whole run is an input of its own. */
export type StepAction =
  | Exclude<Action, { action: 'cancel' }>
  | (Extract<Action, { action: 'cancel' }> & { readonly step: StepId });

/** `reason (by)`, for status, verdict, manifest and audit. */
export function whyOf(
  { reason, by }: { readonly reason?: string; readonly by?: string },
  otherwise = 'no reason told',
): string {
  return by === undefined ? (reason ?? otherwise) : `${reason ?? otherwise} (${by})`;
}

export type ActionAnswer =
  | {
      readonly ok: true;
      readonly did: string;
      readonly steps: readonly StepId[];
      readonly round?: Round;
    }
  | { readonly ok: false; readonly problem: Problem };

/** Preview of `retry --from`. Answer of the query `rerun`. */
export type RerunPreview =
  | {
      readonly ok: true;
      readonly from: StepId;
      /** Steps outside the rerun, whose results stay. */
      readonly reused: readonly StepId[];
      /** Rerun steps. The first skips the cache lookup; the others run only if their inputs changed. */
      readonly again: readonly StepId[];
      /** Running steps, which are stopped first. */
      readonly stopped: readonly StepId[];
      /** Results and approvals that would no longer count, with the reason. */
      readonly invalidated: readonly { readonly step: StepId; readonly why: string }[];
    }
  | { readonly ok: false; readonly problem: Problem };
export const RERUN_QUERY = 'rerun';

/** Name of the Update and the Signal that carry any action. Each action also has a Signal and an Update of its own. */
export const SEND = 'send';

/** An action as it was sent, and its answer: record `runs/<run>/audit/<no>`. */
export interface Audited {
  readonly no: number;
  /** Milliseconds since 1970, by the run's clock. */
  readonly at: number;
  /** The action, as far as it could be read. */
  readonly sent: Action | { readonly action: string; readonly payload: string };
  readonly answer: ActionAnswer;
}
export type KeepAudit = (input: { readonly run: RunId; readonly actions: readonly Audited[] }) => Promise<void>;

/** Five times the size of an action with a signature by a large key. */
export const MOST_ACTION_BYTES = 65_536;

/** Refuses a payload that is too large for a history. Null if it is small enough.
 * @param payload as sent, of any shape */
export function actionTooLong(payload: unknown): Problem | null {
  const text = JSON.stringify(payload) ?? '';
  // A code unit takes at most three bytes in UTF-8.
  const bytes = text.length + 2 * (text.match(/[^\0-\x7f]/g)?.length ?? 0);
  return bytes <= MOST_ACTION_BYTES
    ? null
    : {
        code: 'ACTION_TOO_LONG',
        class: 'config',
        message: `the action has ${bytes} bytes, and a run's history takes at most ${MOST_ACTION_BYTES} of one`,
        next: 'Keep the reason to a sentence, and name the address of a longer text.',
      };
}

const LONGEST_TEXT = 2_000;
const FIELDS = ['step', 'from', 'gate', 'manifest', 'reason', 'by', 'expires', 'signature'] as const;
type Field = (typeof FIELDS)[number];
/** A signature by a large key is longer than usual fields. */
const LONGEST: Partial<Record<Field, number>> = { signature: 10_000 };
const ASKS: Readonly<Record<Action['action'], readonly Field[]>> = {
  retry: [],
  skip: ['step', 'reason'],
  cancel: [],
  pause: [],
  resume: [],
  note: ['reason'],
  approve: ['gate', 'manifest'],
  reject: ['gate', 'manifest', 'reason'],
};
const isAction = (name: unknown): name is Action['action'] => typeof name === 'string' && Object.hasOwn(ASKS, name);

/** Reads an action of any shape. A text alone is the reason of a `note`, and the step of any other action.
 * Returns the problem of one that cannot be read. */
export function readAction(name: string, payload: unknown): Action | Problem {
  const given = fieldsOf(payload);
  const action = name === SEND ? given['action'] : name;
  if (!isAction(action)) return unknownAction(typeof action === 'string' ? action : (JSON.stringify(action) ?? ''));
  const plain: Readonly<Record<string, unknown>> =
    typeof payload === 'string' ? { [action === 'note' ? 'reason' : 'step']: payload } : given;
  const text = (key: Field): string | undefined => {
    const value = plain[key];
    return typeof value === 'string' && value.trim() !== ''
      ? value.trim().slice(0, LONGEST[key] ?? LONGEST_TEXT)
      : undefined;
  };
  const strange = FIELDS.filter((key) => plain[key] !== undefined && typeof plain[key] !== 'string');
  if (strange.length > 0) return actionNotUnderstood(action, `${strange.join(' and ')} must be text`);
  const missing = ASKS[action].filter((key) => text(key) === undefined);
  if (missing.length > 0)
    return actionNotUnderstood(action, `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing`);
  if (action === 'retry' && text('step') !== undefined && text('from') !== undefined)
    return actionNotUnderstood(action, 'either step or from, not both');
  const fields = FIELDS.flatMap((key) => (text(key) === undefined ? [] : [[key, text(key)]]));
  return { action, ...Object.fromEntries(fields) } as Action;
}

const fieldsOf = (payload: unknown): Readonly<Record<string, unknown>> =>
  typeof payload === 'object' && payload !== null && !Array.isArray(payload)
    ? (payload as Record<string, unknown>)
    : {};

export const isProblem = (read: Action | Problem): read is Problem => 'code' in read;

const fieldsFor = (action: Action['action']): readonly Field[] =>
  isGateAction({ action })
    ? ['gate', 'manifest', 'reason', 'by', 'expires', 'signature']
    : action === 'retry'
      ? ['step', 'from', 'reason', 'by']
      : ['step', 'reason', 'by'];

export const isGateAction = <W extends { readonly action: string }>(
  sent: W,
): sent is Extract<W, { action: 'approve' | 'reject' }> => sent.action === 'approve' || sent.action === 'reject';

const unknownAction = (sent: string): Problem => ({
  code: 'UNKNOWN_ACTION',
  class: 'config',
  message: `${JSON.stringify(sent.slice(0, 80))} is no action that a run knows`,
  next: `Send one of ${Object.keys(ASKS).join(', ')}: {"action": "retry", "step": "wheels/skiff/cp312/linux-x86_64", "by": "you"}.`,
});

const needed = (keys: readonly string[]): string =>
  keys.length > 1 ? `${keys.join(' and ')} are required` : `${keys[0] ?? 'nothing'} is required`;

const actionNotUnderstood = (action: Action['action'], why: string): Problem => ({
  code: 'ACTION_NOT_UNDERSTOOD',
  class: 'config',
  message: `${action}: ${why}`,
  next: `Send one JSON object: {${fieldsFor(action)
    .map((key) => `"${key}": "…"`)
    .join(', ')}}; ${needed(ASKS[action])}.`,
});
