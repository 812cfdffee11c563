import type { Digest } from '../../model/digest.js';
import type { Problem } from '../../model/failure.js';
import type { GateAction, OpenedGate, Vetted } from '../../model/gate.js';
import type { BehindSeal, Verdict } from '../../model/messages.js';
import type { Notice, UnsentNotices } from '../../model/notice.js';
import type { Found, ReuseInput, WALK } from '../../model/reuse.js';
import type { Slots, UnservedQueue } from '../../model/worker.js';
import type { StepAction, ActionAnswer } from '../../model/actions.js';

/** The outcome of one attempt of a step. */
export type AttemptResult =
  | {
      readonly outcome: 'done' | 'cached';
      readonly ms: number;
      readonly note: string;
      /** Digest of the manifest. Only the result of the seal has it. */
      readonly sealed?: Digest;
    }
  | { readonly outcome: 'failed'; readonly problems: readonly Problem[] };

export type Success = Extract<AttemptResult, { outcome: 'done' | 'cached' }>;

/** All inputs of the scheduler. Times are milliseconds since 1970. */
export type Input =
  | {
      readonly what: 'ended';
      readonly step: number;
      readonly attempt: number;
      readonly ending: AttemptResult;
      readonly atMs: number;
    }
  /** A gate was reached, and its manifest and targets are known. */
  | ({
      readonly what: 'opened';
      readonly step: number;
      readonly attempt: number;
      readonly atMs: number;
    } & OpenedGate)
  /** The answer of a cache lookup. A lookup that failed arrives as `ended` with the step WALK. */
  | {
      readonly what: 'known';
      readonly step: typeof WALK;
      /** Number of the lookup. */
      readonly attempt: number;
      readonly found: readonly Found[];
      readonly unknown: readonly number[];
      readonly atMs: number;
    }
  | { readonly what: 'wake'; readonly atMs: number }
  /** Queues of the plan that have no worker now, and the known slots of each queue. `slots` is absent if nothing changed. */
  | {
      readonly what: 'fleet';
      readonly unserved: readonly UnservedQueue[];
      readonly slots?: Slots;
      readonly atMs: number;
    }
  | { readonly what: 'cancel'; readonly reason: string; readonly atMs: number }
  | { readonly what: 'action'; readonly action: Exclude<StepAction, GateAction>; readonly atMs: number }
  /** An action at a gate, after its signature was verified. */
  | {
      readonly what: 'gate action';
      readonly action: GateAction;
      readonly vetted: Vetted;
      /** Nonce of the gate's opening for which the action was vetted. */
      readonly nonce: string;
      readonly atMs: number;
    };

/** The steps from which a cache lookup begins. */
export type LookupFrom = Pick<ReuseInput, 'round' | 'from' | 'ended' | 'except'>;

/** Inputs count from 1 without gaps; one that was applied already is ignored, so that a relay may repeat itself. */
export type Numbered = Input & { readonly no: number };

/** All commands of the scheduler. */
export type Command =
  /** Start an attempt. `round` is present from the second round on. */
  | ({ readonly do: 'start'; readonly step: number; readonly attempt: number; readonly round?: number } & BehindSeal)
  /** Read the manifest and targets of a gate. The answer is the input `opened`, or `ended` with a failure. */
  | ({ readonly do: 'open'; readonly step: number; readonly attempt: number } & BehindSeal)
  /** Look up cached results, from the ready steps onwards. The answer is the input `known`, or `ended` with a failure. */
  | ({ readonly do: 'look up'; readonly step: typeof WALK; readonly attempt: number } & LookupFrom)
  /** Ask a running attempt to stop. Its outcome still arrives as an input. */
  | { readonly do: 'abort'; readonly step: number }
  /** Replace the one timer. Null clears it. */
  | { readonly do: 'wakeAt'; readonly atMs: number | null; readonly inMs: number | null }
  /** Answer the action that arrived as the input with this number. */
  | { readonly do: 'answer'; readonly no: number; readonly answer: ActionAnswer }
  /** Send a notification. Notifications of a run count from 1. */
  | { readonly do: 'notify'; readonly no: number; readonly notices: readonly Notice[]; readonly more: UnsentNotices }
  | { readonly do: 'end'; readonly verdict: Verdict };
