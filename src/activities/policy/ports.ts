import type { Refs } from '../../plan/policy/commit.js';
import type { PolicyFile } from '../../plan/policy/judge.js';
import type { Signatures } from '../gates/ports.js';

export interface Hosts {
  /** Returns the addresses of a name by this machine's settings. Throws if there are none. */
  lookUp(name: string): Promise<readonly string[]>;
}

export interface WorkerPolicy {
  readonly path: string;
  /** Null if there is none. Throws POLICY_UNSAFE or every problem of the file. */
  read(): Promise<PolicyFile | null>;
  /** Returns branches and tags of a commit, read from the repository that the policy names. */
  refsOf(repository: string, commit: string): Promise<Refs>;
}

export interface PolicyPorts {
  readonly hosts: Hosts;
  readonly policy: WorkerPolicy;
  readonly signatures: Signatures;
}
