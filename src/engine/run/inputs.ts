import type { Digest } from '../../model/digest.js';
import type { Problem } from '../../model/failure.js';
import type { GateAction, OpenedGate, Vetted } from '../../model/gate.js';
import type { LostWorker } from '../../model/lost-worker.js';
import type { BehindSeal, Verdict } from '../../model/messages.js';
import type { Notice, UnsentNotices } from '../../model/notice.js';
import type { Found, ReuseInput, CACHE_LOOKUP } from '../../model/reuse.js';
import type { Slots, UnservedQueue } from '../../model/worker.js';
import type { StepAction, ActionAnswer } from '../../model/actions.js';

export type AttemptResult =
  | {
      readonly outcome: 'done' | 'cached';
      readonly ms: number;
      readonly note: string;
      /** Digest of the manifest. Only the result of the seal has it. */
      readonly sealed?: Digest;
      readonly lost?: readonly LostWorker[];
    }
  | { readonly outcome: 'failed'; readonly problems: readonly Problem[] };

export type Success = Extract<AttemptResult, { outcome: 'done' | 'cached' }>;

export type Input =
  | {
      readonly what: 'ended';
      readonly step: number;
      readonly attempt: number;
      readonly ending: AttemptResult;
      readonly atMs: number;
    }
  /** An opened gate, with its manifest and targets. */
  | ({
      readonly what: 'opened';
      readonly step: number;
      readonly attempt: number;
      readonly atMs: number;
    } & OpenedGate)
  /** The answer of a cache lookup. A failed lookup arrives as `ended` with the step CACHE_LOOKUP. */
  | {
      readonly what: 'known';
      readonly step: typeof CACHE_LOOKUP;
      readonly attempt: number;
      readonly found: readonly Found[];
      readonly unknown: readonly number[];
      readonly atMs: number;
    }
  | { readonly what: 'wake'; readonly atMs: number }
  /** Queues of the plan without a worker, and the known slots of each queue. `slots` is absent if unchanged. */
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

/** Steps at which a cache lookup begins. */
export type LookupFrom = Pick<ReuseInput, 'round' | 'from' | 'ended' | 'except'>;

/** Inputs count from 1 without gaps. An input that was applied already is ignored. */
export type Numbered = Input & { readonly no: number };

export type Command =
  /** Starts an attempt. `round` is present from the second round on. */
  | ({
      readonly do: 'start';
      readonly step: number;
      readonly attempt: number;
      readonly round?: number;
      readonly flaky?: true;
    } & BehindSeal)
  /** Reads the manifest and targets of a gate. The answer is the input `opened`, or `ended` with a failure. */
  | ({ readonly do: 'open'; readonly step: number; readonly attempt: number } & BehindSeal)
  /** Looks up cached results, from the ready steps onwards. The answer is the input `known`, or `ended` with a failure. */
  | ({ readonly do: 'look up'; readonly step: typeof CACHE_LOOKUP; readonly attempt: number } & LookupFrom)
  /** Asks a running attempt to stop. Its outcome still arrives as an input. */
  | { readonly do: 'abort'; readonly step: number }
  /** Sets the only timer. Null clears it. `summary` says what the run waits for. */
  | { readonly do: 'wakeAt'; readonly atMs: number | null; readonly inMs: number | null; readonly summary?: string }
  /** Answer the action that arrived as the input with this number. */
  | { readonly do: 'answer'; readonly no: number; readonly answer: ActionAnswer }
  /** Sends a notification. Notifications of a run count from 1. */
  | { readonly do: 'notify'; readonly no: number; readonly notices: readonly Notice[]; readonly more: UnsentNotices }
  | { readonly do: 'end'; readonly verdict: Verdict };
