import { order } from '../../model/order.js';
import { type Artifact, type ArtifactKind, isProduct } from '../../model/artifact.js';
import type { Finding } from '../../model/finding.js';
import type { StepId } from '../../model/ids.js';
import type { Isolation } from '../../model/isolation.js';
import { KINDS } from '../../model/kinds.js';
import type { SourceRef } from '../../model/params.js';
import type { Dropped, Plan, Step } from '../../model/plan.js';
import type { LeftOut, NotRun } from '../../model/report.js';
import type { Result } from '../../model/result.js';
import { leftOut, whyAbsent } from './left-out.js';
import { notRun } from './not-run.js';
import { ownSourceOf, ownSourcesOf } from '../../model/sources.js';

export interface SealedArtifact extends Artifact {
  readonly step: StepId;
  /** Notes about these bytes for readers: `differs from source: overlay overlay`. */
  readonly notes: readonly string[];
  /** Isolation of the programs that made these bytes. Absent if no program of the project made them. */
  readonly isolation?: Isolation;
  /** The named source that it is made from. Absent: the source of the manifest. */
  readonly source?: SourceRef;
}

/** The sealed list of all bytes of a run. It has no time, run or target, so a rehearsal and a live release of the same
 * bytes have the same manifest. */
export interface Manifest {
  readonly slipway: 1;
  readonly release: Plan['release'];
  readonly source: Plan['source'];
  readonly artifacts: readonly SealedArtifact[];
  /** Evidence of builds and tests: locks, test results, taken wheels, sdists of named sources. */
  readonly evidence: readonly SealedArtifact[];
  /** Steps that succeeded before the seal. */
  readonly done: readonly StepId[];
  readonly dropped: readonly Omit<Dropped, 'was'>[];
  readonly notRun: readonly NotRun[];
  /** Wanted steps that an operator skipped, and the steps that needed them. */
  readonly skipped: readonly LeftOut[];
  readonly findings: readonly (Finding & { readonly step: StepId })[];
}

const EVIDENCE: ReadonlySet<ArtifactKind> = new Set(['lock', 'buildLock', 'file']);

export const isUnderSeal = (artifact: Pick<Artifact, 'kind'>): boolean =>
  isProduct(artifact) || EVIDENCE.has(artifact.kind);

/** Makes the manifest. Pure, and independent of the order of results.
 * @param wants steps that the seal waited for
 * @param results results of the successful steps
 * @param skips steps that an operator skipped, with the reason */
export function drawManifest(
  plan: Plan,
  wants: readonly StepId[],
  results: readonly Result[],
  skips: ReadonlyMap<StepId, string> = new Map(),
): Manifest {
  const done = new Set(results.map((result) => result.step));
  const gone = new Set(plan.dropped.map((dropped) => dropped.id));
  const sealed = results.flatMap((result) => sealedOf(plan, result)).sort(byKindAndName);
  const taken = new Set([
    ...results.filter(({ kind }) => KINDS[kind].origin === 'taken').map(({ step }) => step),
    ...ownSourcesOf(plan).map(({ step }) => step),
  ]);
  const isOwnProduct = (artifact: SealedArtifact): boolean => isProduct(artifact) && !taken.has(artifact.step);
  return {
    slipway: 1,
    release: plan.release,
    source: plan.source,
    artifacts: sealed.filter(isOwnProduct),
    evidence: sealed.filter(
      (artifact) => EVIDENCE.has(artifact.kind) || (isProduct(artifact) && taken.has(artifact.step)),
    ),
    done: [...done].sort(),
    dropped: plan.dropped.map(({ id, because }) => ({ id, because })).sort((a, b) => order(a.id, b.id)),
    notRun: notRun(plan, results),
    skipped: leftOut(
      wants.filter((id) => !done.has(id) && !gone.has(id)),
      whyAbsent(plan, done, skips),
    ),
    findings: results
      .filter((result) => KINDS[result.kind].stage !== 'prove') // proofs depend on the day and the machine
      .flatMap((result) => result.findings.map((finding) => ({ ...finding, step: result.step })))
      .sort((a, b) => order(a.step, b.step) || order(a.code, b.code) || order(a.subject, b.subject)),
  };
}

function sealedOf(plan: Plan, result: Result): readonly SealedArtifact[] {
  const overlay = overlayOf(plan, result.step);
  const absent = absentFrom(plan, result.step);
  const source = ownSourceOf(plan, result.step);
  return result.artifacts.map((artifact) => ({
    ...artifact,
    step: result.step,
    ...(result.made.isolation !== undefined && { isolation: result.made.isolation }),
    ...(source !== null && { source }),
    notes: artifact.kind === 'wheel' && overlay !== null ? [`differs from source: overlay ${overlay}`] : absent,
  }));
}

function absentFrom(plan: Plan, id: StepId): readonly string[] {
  const step = plan.steps.find((candidate) => candidate.id === id);
  const dropped = step?.kind === 'assembleIndex' ? step.params.dropped : [];
  return dropped.map(({ platform, because }) => `without ${platform}: ${because}`);
}

/** Returns the overlay folder of a step's source, its own or that of its preparation. */
function overlayOf(plan: Plan, id: StepId): string | null {
  const step = plan.steps.find((candidate) => candidate.id === id);
  if (!step) return null;
  const prepared = step.needs.map((need) => plan.steps.find((candidate) => candidate.id === need));
  return [step, ...prepared].map(ownOverlay).find((overlay) => overlay !== null) ?? null;
}

const ownOverlay = (step: Step | undefined): string | null =>
  step !== undefined && 'overlay' in step.params ? step.params.overlay : null;

/** Finds wheels and sdists with one name and different bytes. An index accepts the first and refuses the second. */
export function twinsAmong({ artifacts }: Manifest): readonly { readonly name: string; readonly steps: StepId[] }[] {
  const files = artifacts.filter(({ kind }) => kind === 'wheel' || kind === 'sdist');
  const names = [...new Set(files.map(({ name }) => name))];
  return names
    .map((name) => files.filter((file) => file.name === name))
    .filter((same) => new Set(same.map(({ digest }) => digest)).size > 1)
    .map((same) => ({ name: same[0]!.name, steps: same.map(({ step }) => step) }));
}

const byKindAndName = (a: SealedArtifact, b: SealedArtifact): number =>
  order(a.kind, b.kind) || order(a.name, b.name) || order(a.step, b.step) || order(a.digest, b.digest);
