import type { StageId } from './stages.js';

/** pure: results are cached by step key. probe: the world is asked each time. always: runs each time. */
export type CacheRule = 'pure' | 'probe' | 'always';

/** Servers that a kind talks to. `.slipway/services.json` has the same names; profiles write `service:NAME`. */
export type ServiceName = 'temporal' | 'docker' | 'staging' | 'registry' | 'index' | 'maven' | 'wheels';

/** Effect of a kind outside its own result.
 * `folder`: by itself only files in its own folder; to read from a server changes nothing. `slipway reproduce` can repeat it.
 * `target`: what users of a target get. It asks the policy, marks its own effects, and a conflict stops it.
 * `report`: what a target shows of a run, without a published name. Gates of the target's policy must come before it.
 * `other`: services, records, messages, what a key signs. */
export type Changes = 'folder' | 'target' | 'report' | 'other';

/** Products of a step that a target may take (plan/target-kinds.ts). */
export type Shipped = 'source' | 'sdist' | 'wheel' | 'native' | 'jar' | 'signatures' | 'image' | 'files';

/** A kind of step. Each field is required: a kind without a decision does not compile. */
export interface KindRow extends FeatureKindRow {
  readonly stage: StageId;
}

/** Keeps the literal type of a text in an object that is spread into a row. */
type Word = Uncapitalize<string>;

/** The same row as a feature writes it (feature-kinds.ts). */
export interface FeatureKindRow {
  readonly stage: Word;
  /** Present participle for the live display: "building wheel". */
  readonly doing: string;
  readonly cache: CacheRule;
  readonly changes: Changes;
  /** Default time limit of one attempt. */
  readonly limitMs: number;
  /** First part of the ids of its steps. `ID_PREFIXES` says which key signs their results. */
  readonly ids: Word;
  /** Code that it runs. `own`: our programs, and lines of the release file on control. The others run lines or code of a
   * project or of third-party packages: in a sandbox, on build workers, which hold no secret.
   * `compiler`: in addition at one path on every machine, because compilers write it into their output.
   * `products`: in addition with the paths of this machine's Pythons. */
  readonly runs: 'own' | 'project' | 'compiler' | 'products';
  /** Null if no target takes anything from it. */
  readonly ships: Shipped | null;
  /** `ours`: made by the run, under the seal as its product. `input`: a source or a base, which is not shipped and can be
   * brought again. `taken`: made elsewhere, evidence under the seal, never published. */
  readonly origin: 'ours' | 'input' | 'taken';
  /** Question to the worker's policy before the step begins: about targets, or only about secrets that it looks up. */
  readonly policy: 'all targets' | 'own target' | 'own target and secrets' | 'no target' | 'secrets';
  /** Whether it connects to addresses besides its own target. plan/policy/receivers.ts names them. */
  readonly reaches: boolean;
  /** Services that the drill may kill while the step runs. Outages go by plan/services.ts. */
  readonly services: readonly ServiceName[];
  /** Whether it counts as a test of what it needs. `recorded`: each attempt also leaves an `Outcome`. */
  readonly test: 'no' | 'plain' | 'recorded';
  /** `turn`: its limit begins after a wait for the cluster of its worker. `watch`: it waits for hours, computes next to
   * nothing, and uses no slot of steps. */
  readonly waits: 'no' | 'turn' | 'watch';
  /** Whether it starts only if all steps that it wants succeeded. */
  readonly wantsAll: boolean;
  /** When it changes nothing: `always`, if all other steps are known; `no builds`, only where nothing is built. */
  readonly idle: 'always' | 'no builds' | 'never';
  /** Whether it only serves other steps, and is left out with them. */
  readonly helps: boolean;
  /** Whether values of its `env` name secrets. */
  readonly envSecrets: boolean;
  /** Raise it when the kind's code changes its results. All older results of the kind then miss the cache. */
  readonly epoch: number;
}

type Flags = Omit<KindRow, 'stage' | 'doing' | 'cache' | 'changes' | 'limitMs' | 'epoch'>;
type Args<F> = [StageId, doing: string, CacheRule, Changes, minutes: number, flags: F, epoch?: number];

/** Returns a row of the core's kinds, with the literal types of its flags. */
export const row = <const F extends Flags>(...[stage, doing, cache, changes, minutes, flags, epoch = 1]: Args<F>) => ({
  ...{ stage, doing, cache, changes, limitMs: minutes * 60_000, epoch },
  ...flags,
});
