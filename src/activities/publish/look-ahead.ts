import { lookedRecord } from '../../engine/ledger/entry.js';
import { skipsIn } from '../../engine/ledger/left-out.js';
import type { Manifest } from '../../engine/ledger/manifest.js';
import type { Artifact, ArtifactKind } from '../../model/artifact.js';
import type { Digest } from '../../model/digest.js';
import { fail, SlipwayFailure, type Problem } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import type { Step, StepOf } from '../../model/plan.js';
import { wordsSaid } from '../step/words-said.js';
import type { Work } from '../work.js';
import { connect } from './connect.js';
import { sealedBytesGone } from './errors.js';
import { noteSeen } from './ledger.js';
import { look } from './look.js';
import type { PublishPorts } from './ports.js';
import type { Item, PublishTarget } from './target.js';

type PublishStep = StepOf<'publishArtifacts'>;

/** Before a run uploads anything, every target is asked for all that the run will publish there, and the bytes that it lacks
 * are read whole: one name with other bytes, one file of the store that was altered, and nothing goes out anywhere. What a person left out is not asked about. Once per
 * run; each step looks again at its own names before it uploads. */
export async function lookAhead(
  work: Work<'publishArtifacts'>,
  ports: PublishPorts,
  manifest: Manifest,
): Promise<void> {
  const record = lookedRecord(work.run);
  if ((await work.store.read(record)) !== null) return;
  const conflicts: Problem[] = [];
  const absent = new Map<Digest, Item>();
  const skips = skipsIn(await wordsSaid(work));
  for (const step of work.plan.steps.filter(publishes).filter(({ id }) => !skips.has(id))) {
    const target = ports.targets.open(await connect(work, step.params.target), work);
    const { name } = step.params.target;
    const saw = (item: Item, digest: Digest): Promise<void> => noteSeen(work, name, item, digest);
    const items = sealedItems(step, target, manifest, work);
    const looked = await look(target, name, items, saw).catch((error: unknown) => {
      if (!(error instanceof SlipwayFailure) || error.first.class !== 'conflict') throw error;
      conflicts.push(...error.problems);
      return [];
    });
    for (const { item, verdict } of looked) if (verdict === 'absent') absent.set(item.artifact.digest, item);
  }
  if (conflicts.length > 0) throw fail(conflicts);
  await mustBeSound(work, [...absent.values()]);
  await work.store.create(record, { step: work.step.id });
}

/** Images are in staging, which compares bytes with digests itself; a tag stands on a commit, not on bytes of the store. */
async function mustBeSound({ store }: Pick<Work, 'store'>, items: readonly Item[]): Promise<void> {
  const altered: Problem[] = [];
  for (const { artifact, name } of items)
    if (!ELSEWHERE.includes(artifact.kind) && !(await store.sound(artifact.digest)))
      altered.push(sealedBytesGone(name, artifact.digest));
  if (altered.length > 0) throw fail(altered);
}

const ELSEWHERE: readonly ArtifactKind[] = ['image', 'source'];

const publishes = (step: Step): step is PublishStep => step.kind === 'publishArtifacts';

/** Names that a publish step of this run is to bring into being, by what is under the seal. */
const sealedItems = (
  { params: { of, tags } }: PublishStep,
  target: PublishTarget,
  manifest: Manifest,
  { plan }: Pick<Work, 'plan'>,
): readonly Item[] =>
  [...manifest.artifacts, ...manifest.evidence, ...sourceOf(manifest, of)]
    .filter(({ step, kind }) => of.includes(step) && target.takes.includes(kind))
    .flatMap((artifact) => target.items(artifact, namesOf(tags, plan.release.version)));

/** The commit as an artifact: a tag stands on it. */
const sourceOf = ({ source }: Manifest, of: readonly StepId[]): readonly (Artifact & { readonly step: StepId })[] =>
  source.kind !== 'git'
    ? []
    : of.map((step) => ({
        ...{ step, kind: 'source' as const, name: 'source.tar', size: 0 },
        digest: `sha256:${'0'.repeat(64)}` as const,
        labels: { commit: source.commit },
      }));

/** Tags that an image gets; its version where the release file names none. */
export const namesOf = (tags: readonly string[], version: string): readonly string[] =>
  tags.length > 0 ? tags : [version];
