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
  /** Where it is looked for. */
  readonly path: string;
  /** Null if there is none. Throws POLICY_UNSAFE or every problem of the file. */
  read(): Promise<PolicyFile | null>;
  /** What the repository that a policy names says of a commit. */
  refsOf(repository: string, commit: string): Promise<Refs>;
}

/** What the rules of a worker need. */
export interface PolicyPorts {
  readonly hosts: Hosts;
  readonly policy: WorkerPolicy;
  readonly signatures: Signatures;
}
