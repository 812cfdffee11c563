import { short } from '../../model/digest.js';
import type { Finding } from '../../model/finding.js';
import { KINDS } from '../../model/kinds.js';
import { layoutPath } from '../../model/layout.js';
import type { Plan } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import { ownSourceOf } from '../../model/sources.js';
import type { Layout } from '../ports.js';
import type { StepContext } from './ports.js';

/** Writes the run's record of a result and returns the record that is final: the first one. It is written last, once
 * everything that it names is stored. */
export async function record(
  around: Pick<StepContext, 'layout' | 'store'>,
  plan: Plan,
  name: string,
  result: Result,
): Promise<Result> {
  const findings = await layOut(around.layout(plan.release.name), plan, result);
  const mine = { ...result, findings: [...result.findings, ...findings] };
  return (await around.store.create(name, mine)).value;
}

/** Puts the artifacts of a commit into the layout. Existing files with other bytes stay; each gives a finding. */
export async function layOut(layout: Layout, plan: Plan, result: Result): Promise<readonly Finding[]> {
  const { step, kind, artifacts } = result;
  // A taken wheel was laid out where it was built. The layout's folder is that of the plan's commit alone.
  if (plan.source.kind !== 'git' || KINDS[kind].origin === 'taken' || ownSourceOf(plan, step) !== null) return [];
  const found: Finding[] = [];
  for (const artifact of artifacts) {
    const path = layoutPath(plan, artifact);
    if (path === null) continue;
    const there = await layout.place(path, artifact.digest);
    if (there.digest !== artifact.digest) found.push(holdsOther(path, there.digest, artifact.digest));
  }
  return found;
}

const holdsOther = (path: string, there: string, ours: string): Finding => ({
  level: 'warning',
  code: 'LAYOUT_HOLDS_OTHER',
  subject: path,
  why: `an earlier run of this commit left other bytes there: ${short(there)}; this run made ${short(ours)}`,
  next: 'What is there stays; this run goes on with its own bytes, by digest. Build from a new commit when the name should hold them.',
});
