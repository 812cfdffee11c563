import type { Refs } from '../../plan/policy/commit.js';
import type { PolicyFile } from '../../plan/policy/judge.js';
import type { Signatures } from '../gates/ports.js';

/** How this worker finds a host. */
export interface Hosts {
  /** Addresses behind a name by this machine's own settings. Throws where there are none. */
  lookUp(name: string): Promise<readonly string[]>;
}

/** The policy of this worker. */
export interface WorkerPolicy {
  /** Path at which the worker looks for the file. */
  readonly path: string;
  /** Null if there is none. Throws POLICY_UNSAFE or every problem of the file. */
  read(): Promise<PolicyFile | null>;
  /** Branches and tags of a commit, asked of the repository that the policy names. */
  refsOf(repository: string, commit: string): Promise<Refs>;
}

/** Ports of a worker's policy. */
export interface PolicyPorts {
  readonly hosts: Hosts;
  readonly policy: WorkerPolicy;
  readonly signatures: Signatures;
}
