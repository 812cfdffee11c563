import { notRun } from '../../engine/ledger/not-run.js';
import { publishedBy, type Rehearsed, type Report, type ReportStep } from '../../model/report.js';
import { isDigest, type Digest } from '../../model/digest.js';
import type { RunId } from '../../model/ids.js';
import type { Json } from '../../model/json.js';
import type { Plan, Step } from '../../model/plan.js';
import type { Result } from '../../model/result.js';

export interface ReportFacts {
  readonly plan: Plan;
  readonly digest: Digest;
  readonly run: RunId;
  readonly results: readonly Result[];
}

export function drawReport({ plan, digest, run, results }: ReportFacts): Report {
  const byStep = new Map(results.map((result) => [result.step, result]));
  const of = (kind: Result['kind']): readonly Result[] => results.filter((result) => result.kind === kind);
  const manifest = of('sealManifest')[0]?.facts['manifest'];
  const rehearsed = of('publishArtifacts')[0]?.facts['rehearsed'] as Rehearsed | undefined;
  return {
    slipway: 1,
    release: plan.release,
    ...(plan.pipeline && { pipeline: plan.pipeline }),
    profile: plan.profile,
    run,
    plan: digest,
    manifest: isDigest(manifest) ? manifest : null,
    published: of('publishArtifacts').flatMap((result) =>
      publishedBy(result).map((one) => ({ ...one, target: targetOf(result), step: result.step })),
    ),
    verified: of('verifyTarget').map((result) => ({ target: targetOf(result), step: result.step, note: result.note })),
    pointers: of('movePointer').map(pointerOf),
    steps: plan.steps.map((step) => stepOf(step, byStep.get(step.id), run)),
    dropped: plan.dropped.map(({ id, because }) => ({ id, because })),
    notRun: isDigest(manifest) ? notRun(plan, results) : [],
    findings: results.flatMap((result) => result.findings.map((finding) => ({ ...finding, step: result.step }))),
    ...(plan.profile.rehearsal && rehearsed && { rehearsed }),
  };
}

const targetOf = (result: Result): string => text(result.facts['target']);
const text = (fact: Json | undefined): string => (typeof fact === 'string' ? fact : '');

function pointerOf(result: Result): Report['pointers'][number] {
  const { name, moved, digest } = result.facts;
  return {
    target: targetOf(result),
    name: text(name),
    moved: moved === true,
    digest: isDigest(digest) ? digest : null,
    note: result.note,
  };
}

function stepOf({ id, kind, stage }: Step, result: Result | undefined, run: RunId): ReportStep {
  if (!result) return { id, kind, stage, outcome: 'none', ms: 0, note: '' };
  const outcome = result.made.run === run ? 'done' : 'cached';
  const flaky = outcome === 'done' && result.made.flaky === true;
  return {
    ...{ id, kind, stage, outcome, ms: outcome === 'done' ? result.made.ms : 0, note: result.note },
    ...(flaky && { flaky }),
  };
}
