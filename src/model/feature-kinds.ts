import type { IdPrefix } from './id-prefixes.js';
import type { Problem } from './failure.js';
import type { Queue } from './ids.js';
import type { FeatureKindRow } from './kind-row.js';
import type { Role } from './proof.js';
import type { TargetKindRow } from './target-kinds.js';

/** A family of records of the store. */
export interface RecordFamily {
  readonly signer: Role | 'nobody';
}

/** Place of a stage: directly after another one. */
export interface StageRow {
  readonly after: string;
}

/** A type of workflows. tools/temporal-server/roles.go holds the same for certificates. */
export interface WorkflowType {
  /** First parts of the ids. Empty if runs start them as children. */
  readonly ids: readonly `${string}/`[];
  /** Roles of certificates that start them, and Temporal Schedules. */
  readonly startedBy: readonly ('operator' | 'control' | 'door' | 'schedule')[];
}

/** A program that `slipway up` keeps running in a home with its file. It gets no variables but those of build workers. */
export interface ProgramRow {
  /** File of the home: `hooks.yaml`. */
  readonly file: string;
  /** Its script below `src`, without ending. It writes a ready file under its name. */
  readonly main: string;
  /** Key of the file whose value `$NAME` names one more variable that it gets. */
  readonly secret: string;
}

/** A program that people bring to their workers. */
export interface ToolRow {
  /** Variables of a worker: folders, as in PATH, that steps see. `bin` of the first one is on their PATH. */
  readonly variables: readonly [string, ...string[]];
  /** @param kinds of the steps of the queue */
  absent(queue: Queue, kinds: readonly string[]): Problem;
}

/** Exports of a feature's `kinds.ts`. Names of stages are strings here: a type that refers to the list of features would make the
 * type of each feature circular. */
export interface FeatureKinds {
  readonly kinds?: Readonly<Record<string, FeatureKindRow>>;
  /** First parts of the ids of its steps. */
  readonly ids?: Readonly<Record<string, IdPrefix>>;
  readonly stages?: Readonly<Record<string, StageRow>>;
  /** By the first part of a record's name, below `runs/` also the third: `runs/rounds`. */
  readonly records?: Readonly<Record<string, RecordFamily>>;
  /** By the name of the function that its `workflows.ts` exports. */
  readonly workflows?: Readonly<Record<string, WorkflowType>>;
  /** By the name of the service. */
  readonly programs?: Readonly<Record<string, ProgramRow>>;
  /** By the name of the program. */
  readonly tools?: Readonly<Record<string, ToolRow>>;
  /** Kinds of targets. Nothing installs from them: their files are compared. */
  readonly targets?: Readonly<Record<string, TargetKindRow & { readonly installs: false }>>;
}
