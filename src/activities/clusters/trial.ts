import type { Work } from '../work.js';
import type { TestFolders } from './lay-out.js';
import type { NodeWatch } from './node-watch.js';
import type { Cluster } from './ports.js';

/** Work of one attempt with what all phases share. */
export interface Trial {
  readonly work: Work<'runOnCluster'>;
  readonly cluster: Cluster;
  readonly folders: TestFolders;
  readonly nodes: NodeWatch;
  /** Identifies the attempt outside: run, step and number of its cluster. */
  readonly id: string;
  /** Begin of the test, by an earlier worker too. Null: not begun. */
  readonly begunAt: number | null;
  /** Stores the begin of the test once. Returns it, milliseconds since 1970. */
  begin(): Promise<number>;
  /** Asked after an abort. True: test and cluster go on without this worker. */
  leaves(): boolean;
  /** Output of the test and its preparation. */
  readonly onOutput: (text: string) => void | Promise<void>;
}

/** Writes a line that the heartbeat carries: the phase as people see it live. */
export const say = (work: Work<'runOnCluster'>, text: string): void => work.log.write(`${text}\n`);
