import { isDeepStrictEqual } from 'node:util';
import { lookedRecord } from '../../engine/ledger/entry.js';
import { skipsIn } from '../../engine/ledger/left-out.js';
import type { Manifest } from '../../engine/ledger/manifest.js';
import type { ArtifactKind } from '../../model/artifact.js';
import { fail, type Problem } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import type { Target } from '../../model/target.js';
import type { Step, StepOf } from '../../model/plan.js';
import type { Sealed } from '../seal/sealed.js';
import { actionsSent } from '../step/actions-sent.js';
import type { Work } from '../work.js';
import { connect } from './connect.js';
import { sealedBytesGone } from './errors.js';
import { sealedItems } from './items.js';
import { look, type Looked } from './look.js';
import type { PublishPorts, Item } from './ports.js';
import { problemsIn, proofs, roomFor } from './proofs.js';
import { lookingFor } from './publishers.js';

type PublishStep = StepOf<'publishArtifacts'>;

/** Checks every target before a run uploads anything: credentials, names with other bytes, file sizes, free disk, and
 * intact bytes in the store. Throws all problems at once, so that nothing is uploaded anywhere. Skipped steps are left
 * out. Runs once for each manifest, since a later round may seal other bytes. Each step checks its own names again
 * before its upload. */
export async function lookAhead(
  work: Work<'publishArtifacts'>,
  ports: PublishPorts,
  { digest, manifest }: Sealed,
): Promise<void> {
  const record = lookedRecord(work.run, digest);
  if ((await work.store.read(record)) !== null) return;
  const found: Problem[] = [];
  const absent: Absent[] = [];
  for (const items of byTarget(work, skipsIn(await actionsSent(work)))) {
    const trouble = await problemsIn(async () => {
      const ahead = await lookAt(work, ports, manifest, items);
      found.push(...ahead.found);
      absent.push(...ahead.absent);
    });
    found.push(...trouble);
  }
  found.push(...(await roomFor(work, absent)));
  if (found.length > 0) throw fail(distinct(found));
  await mustBeSound(work, [...new Map(absent.map(({ item }) => [item.artifact.digest, item])).values()]);
  await work.store.create(record, { step: work.step.id });
}

interface Absent {
  readonly to: Target;
  readonly item: Item;
}

/** A step with `when: built` looks at its own names only: others may not be built yet. */
function byTarget(
  { plan, step }: Pick<Work<'publishArtifacts'>, 'plan' | 'step'>,
  skips: ReadonlyMap<StepId, unknown>,
): readonly (readonly PublishStep[])[] {
  if (step.params.when === 'built') return [[step]];
  const steps = plan.steps.filter(publishes).filter(({ id, params }) => params.when !== 'built' && !skips.has(id));
  const names = [...new Set(steps.map(({ params }) => params.target.name))];
  return names.map((name) => steps.filter(({ params }) => params.target.name === name));
}

async function lookAt(
  work: Work<'publishArtifacts'>,
  ports: PublishPorts,
  manifest: Manifest,
  steps: readonly PublishStep[],
): Promise<{ found: readonly Problem[]; absent: readonly Absent[] }> {
  const to = steps[0]!.params.target;
  const target = ports.targets.open(await connect(work, to), work);
  const bundles = steps.map(({ params }) => sealedItems(params, target, manifest).map(({ item }) => item));
  const found = bundles.flatMap((items) => target.check?.(items) ?? []);
  const looked: Looked[] = [];
  const looking = lookingFor(work, ports, to);
  for (const items of bundles)
    found.push(
      ...(await problemsIn(async () => {
        looked.push(...(await look(target, to.name, items, looking)));
      })),
    );
  const there = new Set(looked.filter(({ verdict }) => verdict !== 'absent').map(({ item }) => item));
  const lacking = bundles.flat().filter((item) => !there.has(item));
  const wrong = lacking.length === 0 ? [] : await proofs(work, ports, target, to, lacking);
  return { found: [...wrong, ...found], absent: lacking.map((item) => ({ to, item })) };
}

/** A target that is down gives the same problem for every request. */
const distinct = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter((one, at) => problems.findIndex((other) => isDeepStrictEqual(one, other)) === at);

/** Throws SEALED_BYTES_GONE for each altered object. Images are skipped, since staging checks digests itself. A tag of
 * a commit has no bytes in the store. */
async function mustBeSound({ store }: Pick<Work, 'store'>, items: readonly Item[]): Promise<void> {
  const altered: Problem[] = [];
  for (const { artifact, name } of items)
    if (!ELSEWHERE.includes(artifact.kind) && !(await store.sound(artifact.digest)))
      altered.push(sealedBytesGone(name, artifact.digest));
  if (altered.length > 0) throw fail(altered);
}

const ELSEWHERE: readonly ArtifactKind[] = ['image', 'source'];

const publishes = (step: Step): step is PublishStep => step.kind === 'publishArtifacts';
