import { skipsIn } from '../../engine/ledger/left-out.js';
import { fail, type Problem } from '../../model/failure.js';
import { type KindName, KINDS } from '../../model/kinds.js';
import type { Step } from '../../model/plan.js';
import { placeOf, targetsIn } from '../../model/policy/place.js';
import type { Rehearsed } from '../../model/report.js';
import type { Target } from '../../model/target.js';
import { commitProblems, refsOfCommits } from '../../plan/policy/commit.js';
import { isolationProblems } from '../../plan/policy/isolation.js';
import { judgeTarget, type Question } from '../../plan/policy/judge.js';
import { announceProblems, secretProblems } from '../../plan/policy/secrets.js';
import { readSealed, type Sealed, sealedFor } from '../seal/sealed.js';
import { actionsSent } from '../step/actions-sent.js';
import type { Body, Work } from '../work.js';
import { approvalProblems } from './approvals.js';
import type { PolicyPorts } from './ports.js';
import { assertResolved } from './rehearsed-here.js';

interface Resolved extends Target {
  /** Address in the plan: `service:index`. */
  readonly planned: string;
}

/** Work with addresses that were resolved once, so that the policy checks the same addresses that the body uses. */
interface Pinned<K extends KindName> {
  readonly work: Work<K>;
  /** Targets of the plan whose service is up. The body fails if it uses another. */
  readonly targets: readonly Resolved[];
}

/** Wraps a body of the control worker so that it starts only if this worker's own rules allow its effects. */
export const underPolicy =
  <K extends KindName>(ports: PolicyPorts, body: Body<K>): Body<K> =>
  async (found) => {
    const { work, targets } = pinned(found);
    const { rehearsal } = work.plan.profile;
    await assertResolved(targets, rehearsal, ports.hosts);
    await assertAllowed(work as unknown as Work, targets, ports);
    const made = await body(work);
    return rehearsal && work.step.kind === 'publishArtifacts'
      ? { ...made, facts: { ...made.facts, rehearsed: { ...rehearsedIn(targets) } } }
      : made;
  };

function rehearsedIn(targets: readonly Resolved[]): Rehearsed {
  const hosts = targets.map(placeOf).flatMap((place) => (place.here ? [place.at] : []));
  return { targets: new Set(targets.map(({ name }) => name)).size, hosts: [...new Set(hosts)].sort() };
}

function pinned<K extends KindName>(work: Work<K>): Pinned<K> {
  const found = new Map<string, string>();
  const failed = new Map<string, unknown>();
  for (const { address } of targetsIn(work.plan))
    try {
      found.set(address, work.address(address));
    } catch (error) {
      failed.set(address, error);
    }
  const address = (asked: string): string => {
    if (failed.has(asked)) throw failed.get(asked);
    return found.get(asked) ?? work.address(asked);
  };
  const targets = targetsIn(work.plan).flatMap((target) => {
    const resolved = found.get(target.address);
    return resolved === undefined ? [] : [{ ...target, planned: target.address, address: resolved }];
  });
  return { work: { ...work, address }, targets };
}

/** Throws every objection of this worker's policy to a step. The policy file is read each time. */
async function assertAllowed(work: Work, all: readonly Resolved[], ports: PolicyPorts): Promise<void> {
  const step = work.step as Step;
  const question = await questionOf(work, ports);
  const { policy, plan, refs } = question;
  const found = (await asked(work, all)).flatMap((target) => judgeTarget(question, target).problems);
  if (!plan.profile.rehearsal) found.push(...announceProblems(policy, question.path, plan));
  if (step.kind === 'attestRelease' && step.params.key !== null && policy !== null)
    found.push(...secretProblems(policy, step.id, { steps: [step] }), ...commitProblems(policy, null, plan, refs));
  if (policy !== null && (step.kind === 'attestRelease' || writes(step)) && policy.content.isolation !== 'any')
    found.push(...isolationProblems(policy, plan, (await sealOf(work)).manifest.artifacts));
  if (found.length > 0) throw fail(distinct(found));
  if (policy === null || !writes(step)) return;
  // A target whose service is down is not in `all`; the body fails at its address.
  const own = resolvedOf(ownTarget(step), all).map((target) => judgeTarget(question, target));
  const short = await Promise.all(own.map((one) => approvalProblems(work, one, policy, ports.signatures)));
  if (short.flat().length > 0) throw fail(short.flat());
}

const sealOf = (work: Work): Promise<Sealed> =>
  (work.step as Step).kind === 'publishArtifacts'
    ? sealedFor(work as unknown as Work<'publishArtifacts'>)
    : readSealed(work);

const ownTarget = ({ params }: Step): readonly Target[] => ('target' in params ? [params.target] : []);
const writes = ({ kind }: Step): boolean => KINDS[kind].changes === 'target';

async function questionOf({ plan }: Pick<Work, 'plan'>, { policy }: PolicyPorts): Promise<Question> {
  const read = await policy.read();
  const repository = read?.content.repository;
  const refs =
    repository === undefined ? null : await refsOfCommits(plan, (commit) => policy.refsOf(repository, commit));
  return { policy: read, path: policy.path, plan, refs };
}

/** Returns the targets to check. `all targets` are those of publishing steps that are not skipped. */
async function asked(work: Work, all: readonly Resolved[]): Promise<readonly Resolved[]> {
  const { plan } = work;
  const step = work.step as Step;
  const asks = KINDS[step.kind].policy;
  if (asks === 'no target') return [];
  if (asks !== 'all targets') return resolvedOf(ownTarget(step), all);
  const skips = skipsIn(await actionsSent(work));
  const others = plan.steps.flatMap((one) =>
    one.kind === 'publishArtifacts' && !skips.has(one.id) ? [one.params.target] : [],
  );
  return resolvedOf([...ownTarget(step), ...others], all);
}

/** Compares all fields: targets that differ in one field are different. */
const resolvedOf = (wanted: readonly Target[], all: readonly Resolved[]): readonly Resolved[] => {
  const keys = new Set(wanted.map((target) => JSON.stringify(target)));
  return all.filter(({ planned, ...target }) => keys.has(JSON.stringify({ ...target, address: planned })));
};

const distinct = (problems: readonly Problem[]): readonly Problem[] => [
  ...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values(),
];
