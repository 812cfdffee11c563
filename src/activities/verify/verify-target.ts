import { judge } from '../../engine/ledger/verdict.js';
import { fail } from '../../model/failure.js';
import { type CoreTargetKind, TARGETS } from '../../model/target-kinds.js';
import { sealedFor } from '../seal/built.js';
import type { Body, Work } from '../work.js';
import { connect } from '../publish/connect.js';
import { verifyOtherBytes } from '../publish/errors.js';
import type { PublishPorts } from '../publish/ports.js';
import type { Item, PublishTarget, Session } from '../publish/target.js';
import type { Verify } from './pass.js';
import { publishedHere } from './published.js';
import { verifyFiles } from './verify-files.js';
import { verifyImage } from './verify-image.js';
import { verifyMaven } from './verify-maven.js';
import { verifyIndex } from './verify-index.js';
import { verifyPython } from './verify-python.js';

/** Installs published files as a user would. Each function returns a note for people. Files of a feature's target are compared. */
const VERIFY = {
  python: verifyPython,
  maven: verifyMaven,
  oci: verifyImage,
  s3: verifyFiles,
  command: verifyFiles,
  central: verifyFiles,
  'git-tag': verifyFiles,
  simple: verifyIndex,
} as const satisfies Record<CoreTargetKind, (verify: Verify) => Promise<string>>;

/** Compares the target's bytes with the sealed ones, then installs and runs them. A result for the same bytes and tools
 * is reused. */
export const createVerifyTarget =
  (ports: PublishPorts): Body<'verifyTarget'> =>
  async (work) => {
    const { installs } = TARGETS[work.step.params.target.kind];
    const to = await connect(work, work.step.params.target, installs ? 'where they are here' : 'all');
    const target = ports.targets.open(to, unconfined(work));
    const items = publishedHere(work, target, await sealedFor(work));
    if (items.length === 0)
      return { artifacts: [], facts: { target: to.name, compared: 0 }, note: 'nothing was listed' };
    // An index may be a bucket that this worker cannot read. Its installers compare digests.
    if (to.kind !== 'simple') for (const item of items) await mustBeOurs(to.name, target, item);
    if (work.known) return { ...work.known, reused: true };
    const note = await (to.kind in VERIFY ? VERIFY[to.kind as CoreTargetKind] : verifyFiles)({
      work,
      ports,
      to,
      target,
      items,
    });
    return { artifacts: [], facts: { target: to.name, compared: items.length }, note };
  };

/** Adapters' own programs see what the worker sees. Lines of the release file stay confined. */
const unconfined = (work: Work<'verifyTarget'>): Session => ({
  ...work,
  exec: (argv, options) => work.exec(argv, options?.access === 'line' ? options : { ...options, unconfined: true }),
  capture: (argv, options) => work.capture(argv, { ...options, unconfined: true }),
});

async function mustBeOurs(name: string, target: PublishTarget, item: Item): Promise<void> {
  const seen = await target.observe(item);
  if (judge(item.artifact.digest, seen) === 'same') return;
  throw fail(verifyOtherBytes(name, item.name, seen.state === 'absent' ? 'it is not there' : `it has ${seen.digest}`));
}
