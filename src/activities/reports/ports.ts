import type { JsonObject } from '../../model/json.js';
import type { Targets } from '../publish/ports.js';

export interface ReportPorts {
  readonly targets: Targets;
  readonly trackers: Trackers;
  readonly tables: Tables;
  /** Milliseconds between looks for an issue whose creation had no answer. Default: `LOOK_WAITS_MS`. */
  readonly lookWaitsMs?: readonly number[];
}

/** Opens connections without sending anything. */
export interface Trackers {
  open(connection: TrackerConnection): IssueTracker;
}
export interface TrackerConnection {
  /** Name in messages. */
  readonly name: string;
  readonly address: string;
  readonly repository: string;
  readonly token: string;
  readonly signal: AbortSignal;
  /** Tells people what it waits for. Null: it goes on. */
  readonly waits: (because: string | null) => void;
}

export interface TrackedIssue {
  readonly number: number;
  readonly open: boolean;
  readonly body: string;
  readonly labels: readonly string[];
}

/** Issues of one repository. Every failure has a code. */
export interface IssueTracker {
  /** All open issues with a label, and the newest closed ones. */
  withLabel(label: string): Promise<readonly TrackedIssue[]>;
  /** Null if the issue was deleted, and for a pull request. */
  find(issue: number): Promise<TrackedIssue | null>;
  open(issue: {
    readonly title: string;
    readonly body: string;
    readonly labels: readonly string[];
  }): Promise<TrackedIssue>;
  /** Bodies of the comments since a time, ISO 8601. */
  comments(issue: number, since: string): Promise<readonly string[]>;
  comment(issue: number, body: string): Promise<void>;
  addLabels(issue: number, labels: readonly string[]): Promise<void>;
  /** Does nothing if the issue lacks the label. */
  removeLabel(issue: number, label: string): Promise<void>;
  close(issue: number): Promise<void>;
}

/** Tables of a PostgreSQL server. */
export interface Tables {
  /** Creates the table if it is absent, and adds the rows whose key is free, in one transaction. Returns how many were added. */
  add(into: TableAddress, rows: readonly TableRow[]): Promise<number>;
}
export interface TableAddress {
  /** Name in messages. */
  readonly name: string;
  /** Holds the password. */
  readonly url: string;
  readonly table: string;
  readonly signal: AbortSignal;
}
export interface TableRow {
  /** Same for the same attempt of a test in the same run. */
  readonly key: string;
  readonly row: JsonObject;
}
