import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { publishedBy, type Published } from '../../model/report.js';
import { fail } from '../../model/failure.js';
import { foldersAt } from '../../model/shell-variables.js';
import { type CoreTargetKind, TARGETS } from '../../model/target-kinds.js';
import { sealedFor, type Sealed } from '../seal/sealed.js';
import type { Body, Work } from '../work.js';
import { connect } from '../publish/connect.js';
import { leftBeside } from '../publish/left-beside.js';
import { verifyOtherBytes, nothingToVerify, notSealed } from '../publish/errors.js';
import { sealedItems } from '../publish/items.js';
import type { PublishPorts, Item, PublishTarget, Session } from '../publish/ports.js';
import { type Verify, mustPass } from './pass.js';
import { verifyImage } from './verify-image.js';
import { verifyMaven } from './verify-maven.js';
import { verifyIndex } from './verify-index.js';
import { verifyPython } from './verify-python.js';

type VerifyWork = Pick<Work<'verifyTarget'>, 'inputs' | 'plan' | 'step'>;

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
    const sealed = await sealedFor(work);
    const items = publishedHere(work, target, sealed);
    if (items.length === 0)
      return { artifacts: [], facts: { target: to.name, compared: 0 }, note: 'nothing was listed' };
    // An index may be a bucket that this worker cannot read. Its installers compare digests.
    if (to.kind !== 'simple') for (const item of items) await mustBeOurs(to.name, target, item);
    const findings = await leftBeside(work, target, sealed.manifest);
    if (work.known) return { ...work.known, findings, reused: true };
    const verify = to.kind in VERIFY ? VERIFY[to.kind as CoreTargetKind] : verifyFiles;
    const note = await verify({ work, ports, to, target, items });
    return { artifacts: [], facts: { target: to.name, compared: items.length }, findings, note };
  };

/** Adapters' own programs see what the worker sees. Lines of the release file stay confined. */
const unconfined = (work: Work<'verifyTarget'>): Session => ({
  ...work,
  exec: (argv, options) => work.exec(argv, options?.access === 'line' ? options : { ...options, unconfined: true }),
  capture: (argv, options) => work.capture(argv, { ...options, unconfined: true }),
});

async function mustBeOurs(name: string, target: PublishTarget, item: Item): Promise<void> {
  const seen = await target.observe(item);
  if (seen.state === 'present' && seen.digest === item.artifact.digest) return;
  throw fail(verifyOtherBytes(name, item.name, seen.state === 'absent' ? 'it is not there' : `it has ${seen.digest}`));
}

/** Runs the line of the release file in an empty folder. Nothing installs from these kinds of target, and the bytes
 * were compared before. */
async function verifyFiles(verify: Verify): Promise<string> {
  const { work, to, items } = verify;
  const { run } = work.step.params;
  const compared = `${items.length} compared`;
  if (run === null) return compared;
  const cwd = join(work.folder, 'elsewhere');
  await mkdir(cwd);
  await mustPass(verify, run, cwd, work.env({ ADDRESS: to.address, VERSION: to.version }), {
    access: 'line',
    folders: foldersAt(to.address),
  });
  return `${compared}, then ${run}`;
}

/** Returns what this run published to the step's target. Throws NOTHING_TO_VERIFY, but not with `when: built`: each wheel
 * may be another publisher's. Throws NOT_SEALED if a record names
 * bytes that the seal does not give the target under that name. */
function publishedHere(work: VerifyWork, target: Pick<PublishTarget, 'items'>, { manifest }: Sealed): readonly Item[] {
  const { name: to } = work.step.params.target;
  const results = work.inputs.filter((result) => result.facts['target'] === to);
  const published = results.flatMap(publishedBy);
  if (published.length === 0 && work.step.params.when !== 'built') throw fail(nothingToVerify(to));
  const steps = results.map(({ step }) => step);
  const sealed = work.plan.steps
    .filter((step) => step.kind === 'publishArtifacts')
    .flatMap(({ id, params }) => (steps.includes(id) ? sealedItems(params, target, manifest) : []));
  const isSealed = ({ name, digest }: Published): boolean =>
    sealed.some(({ item }) => item.name === name && item.artifact.digest === digest);
  const strange = published.filter((one) => !isSealed(one));
  if (strange.length > 0) throw fail(strange.map(({ name, digest }) => notSealed(name, digest)));
  return published.map(({ name, digest, url }) => ({
    ...{ name, url, artifact: { name, digest, kind: 'file', size: 0, labels: {} } },
  }));
}
