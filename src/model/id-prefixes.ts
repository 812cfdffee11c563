import { FEATURE_KINDS } from '../features/kinds.js';
import type { StepId } from './ids.js';
import type { KindName, KINDS } from './kinds.js';
import type { Role } from './proof.js';
import { fieldOf, together } from './together.js';

export interface IdPrefix {
  /** The key that signs results and memories of these steps. `control`: they decide about publishing. */
  readonly signedBy: Role;
  /** Product of the steps. `tests` count for gates and `--only`. A release consists of `files` and `images`, and an
   * earlier one is compared by them. `evidence` is handed out with the files. */
  readonly makes: 'tests' | 'files' | 'images' | 'inputs' | 'evidence' | 'other';
  /** Section of the entries that steps are made of. Absent: it has the name of the prefix. */
  readonly section?: string;
  /** The name of an entry ends with a dash and a hash of what it is made of. */
  readonly hashed?: true;
}

const CORE = {
  prove: { signedBy: 'worker', makes: 'other' },
  source: { signedBy: 'worker', makes: 'inputs' },
  tools: { signedBy: 'worker', makes: 'other' },
  sdists: { signedBy: 'worker', makes: 'files' },
  prepare: { signedBy: 'worker', makes: 'other', section: 'wheels' },
  wheels: { signedBy: 'worker', makes: 'files' },
  jars: { signedBy: 'worker', makes: 'files' },
  signatures: { signedBy: 'worker', makes: 'other', section: 'jars' },
  bases: { signedBy: 'worker', makes: 'other' },
  images: { signedBy: 'worker', makes: 'images' },
  indexes: { signedBy: 'worker', makes: 'images' },
  tests: { signedBy: 'worker', makes: 'tests' },
  steps: { signedBy: 'worker', makes: 'inputs' },
  clusters: { signedBy: 'worker', makes: 'other' },
  seal: { signedBy: 'control', makes: 'other' },
  attest: { signedBy: 'control', makes: 'evidence' },
  gates: { signedBy: 'control', makes: 'evidence' },
  publish: { signedBy: 'control', makes: 'other' },
  verify: { signedBy: 'worker', makes: 'other', section: 'publish' },
  point: { signedBy: 'control', makes: 'other' },
  announce: { signedBy: 'worker', makes: 'other' },
  report: { signedBy: 'worker', makes: 'other' },
  reports: { signedBy: 'worker', makes: 'other' },
} as const;

/** First parts of the ids of steps. A kind with another `ids` does not compile without a row here. */
export const ID_PREFIXES: Readonly<Record<(typeof KINDS)[KindName]['ids'], IdPrefix>> = together('prefix of ids', {
  core: CORE,
  ...fieldOf(FEATURE_KINDS, 'ids'),
});
const ROWS = new Map<string, IdPrefix>(Object.entries(ID_PREFIXES));

/** Returns the row of an id's first part. Undefined for a prefix of no kind. */
export const prefixOf = (id: StepId): IdPrefix | undefined => ROWS.get(id.slice(0, id.indexOf('/')));

/** Returns what steps with such an id make. */
export const makesOf = (id: StepId): IdPrefix['makes'] => prefixOf(id)?.makes ?? 'other';

/** Returns an id without the hash in the name of its entry: `specs/zlib-1.3` of `specs/zlib-1.3-gccypu6`. Runs before and after a change
 * of the entry have it in common. */
export const withoutHash = (id: StepId): StepId =>
  prefixOf(id)?.hashed ? id.replace(/^([^/]+\/[^/]+)-[a-z0-9]+(?=\/|$)/, '$1') : id;
