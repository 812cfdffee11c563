import type { Connection, PublishTarget, Session, Targets } from '../activities/publish/ports.js';
import type { CoreTargetKind } from '../model/target-kinds.js';
import { together } from '../model/together.js';
import { createCentral } from './central/central-target.js';
import { createCommandTarget } from './command/command-target.js';
import { createGitTag } from './git-tag/git-tag.js';
import { createPythonIndex } from './index/python-index.js';
import { createMavenRepository } from './maven-repository/maven-repository.js';
import { createOciPointers } from './oci/oci-pointers.js';
import { createOciTarget } from './oci/oci-target.js';
import { openPlace } from './static-index/open-place.js';
import { createStaticIndex } from './static-index/static-index.js';
import { createS3Target } from './s3-target/s3-target.js';

/** Kinds of targets. A new kind is a row here, a row of model/target-kinds.ts and of its schemas, and a folder beside this file. */
const OPEN = {
  python: createPythonIndex,
  maven: createMavenRepository,
  oci: createOciTarget,
  command: createCommandTarget,
  s3: createS3Target,
  central: createCentral,
  'git-tag': createGitTag,
  simple: createStaticIndex,
} as const satisfies Record<CoreTargetKind, OpenTarget>;

/** @param served folder of static indexes that `slipway up` serves. Null without services */
export type OpenTarget = (to: Connection, session: Session, served: string | null) => PublishTarget;
type Openers = Readonly<Record<string, OpenTarget>>;

/** @param pace overrides the adapters' waits
 * @param served folder of static indexes that `slipway up` serves. Null without services
 * @param features openers by feature, then by kind. Throws FEATURE_NAME_TAKEN */
export function createTargets(
  pace: Pick<Session, 'patienceMs' | 'longestWaitMs'> = {},
  served: string | null = null,
  features: Readonly<Record<string, Openers>> = {},
): Targets {
  const all: Openers = together('kind of target', { core: OPEN, ...features });
  const patient = (session: Session): Session => ({ ...session, ...pace });
  return {
    open: (to, session) => all[to.kind]!(to, patient(session), served),
    pointers: (to, session) => (to.kind === 'oci' ? createOciPointers(to, patient(session)) : null),
    index: (to) => (to.kind === 'simple' ? openPlace(to, pace, served) : null),
  };
}
