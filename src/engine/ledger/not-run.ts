import { type Artifact, isProduct } from '../../model/artifact.js';
import type { StepId } from '../../model/ids.js';
import { KINDS } from '../../model/kinds.js';
import type { Dropped, Plan, Step } from '../../model/plan.js';
import type { NotRun } from '../../model/report.js';
import type { Result } from '../../model/result.js';

/** Returns products that no passed test ran, in the order of their steps. A test runs what it needs and what that
 * contains or was built from: a wheel in an image, natives in a JAR. Products for another platform do not count. Pure.
 * @param results results of the successful steps */
export function notRun(plan: Plan, results: readonly Result[]): readonly NotRun[] {
  const seen: Seen = {
    steps: new Map(plan.steps.map((step) => [step.id, step])),
    results: new Map(results.map((result) => [result.step, result])),
    machineOf: machineNames(plan.steps),
  };
  const tests = plan.steps.filter(isTest);
  const passes = tests.filter(({ id }) => seen.results.has(id)).map((test) => passOf(test, seen));
  const ran = new Set(passes.flatMap(({ ids }) => [...ids]));
  const built = results.filter(({ kind, artifacts }) => KINDS[kind].origin === 'ours' && artifacts.some(runs));
  const idle = built.filter(({ step }) => !wasRun(step, passes, ran, seen));
  const because = idle.length > 0 ? reasonsOf(plan, tests, passes, seen) : () => '';
  return idle
    .map(({ step, artifacts }) => ({
      step,
      names: namesOf(artifacts),
      because: because(step) + heldBy(step, ran, seen),
    }))
    .sort((a, b) => (a.step < b.step ? -1 : 1));
}

/** A signature and a POM are published, but nothing runs them. */
const runs = (artifact: Artifact): boolean => isProduct(artifact) && !/\.(asc|pom)$/.test(artifact.name);

interface Seen {
  readonly steps: ReadonlyMap<StepId, Step>;
  readonly results: ReadonlyMap<StepId, Result>;
  readonly machineOf: (platform: string) => string;
}

/** A passed test: its machine, and the steps whose bytes it ran. */
interface Pass {
  readonly machine: string;
  readonly ids: ReadonlySet<StepId>;
}
const passOf = (test: Test, seen: Seen): Pass => ({
  machine: seen.machineOf(platformOf(test, seen)),
  ids: reached(test, seen),
});

/** Whether an image was run. An index was run if all of its images were, because a test pulls only one. A promoted
 * index needs tests on as many machines as it has platforms. */
function wasRun(id: StepId, passes: readonly Pass[], ran: ReadonlySet<StepId>, seen: Seen): boolean {
  const children = childrenIn(id, seen);
  if (children.length > 0) return children.every((child) => ran.has(child));
  return ran.has(id) && machinesOf(id, passes).length >= platformsIn(id, seen).length;
}

/** Returns the images of an index, without those of skipped steps. */
function childrenIn(id: StepId, { steps, results }: Seen): readonly StepId[] {
  const step = steps.get(id);
  return step ? childrenOf(step).filter((child) => results.has(child)) : [];
}

const machinesOf = (id: StepId, passes: readonly Pass[]): readonly string[] =>
  [...new Set(passes.flatMap(({ machine, ids }) => (ids.has(id) ? [machine] : [])))].sort();

/** OCI platforms of a multi-platform image. Empty for other images. */
const platformsIn = (id: StepId, { results }: Seen): readonly string[] =>
  results.get(id)?.artifacts.flatMap(({ labels }) => labels['index']?.split(',') ?? []) ?? [];

/** Describes tested products that contain this untested one, such as a JAR with a native library of another machine. */
function heldBy(id: StepId, ran: ReadonlySet<StepId>, { steps, results }: Seen): string {
  const holds = [...ran].filter(
    (one) => steps.get(one)?.needs.includes(id) && results.get(one)?.artifacts.some(isProduct),
  );
  return holds.length === 0
    ? ''
    : `; ${holds.sort().join(', ')} ${holds.length === 1 ? 'holds' : 'hold'} it all the same`;
}

const isTest = ({ kind }: Pick<Step, 'kind'>): boolean => KINDS[kind].test !== 'no';

const namesOf = (artifacts: readonly Artifact[]): readonly string[] =>
  [...new Set(artifacts.filter(runs).map(({ name }) => name))].sort();

type Test = Pick<Step, 'on' | 'axes' | 'needs'>;

/** Returns the steps whose bytes a test runs. */
function reached(test: Test, seen: Seen): ReadonlySet<StepId> {
  const platform = platformOf(test, seen);
  const found = new Set<StepId>();
  const open = [...test.needs];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const step = seen.steps.get(id);
    if (step === undefined || found.has(id) || !suits(step, platform, seen)) continue;
    found.add(id);
    open.push(...step.needs, ...childrenOf(step));
  }
  return found;
}

const childrenOf = (step: Step): readonly StepId[] =>
  step.kind === 'assembleIndex' ? step.params.children.map((child) => child.step) : [];

/** Returns the platform of a test: its own, the only one of its inputs, else that of its queue. */
function platformOf({ axes, needs, on }: Test, seen: Seen): string {
  const given = new Set(needs.flatMap((id) => ownPlatform(seen.steps.get(id), seen) ?? []));
  const [only] = given;
  return axes['platform'] ?? (given.size === 1 ? only! : on);
}

/** The platform of a step's products. Undefined for products for any platform. */
const ownPlatform = (step: Step | undefined, { results }: Seen): string | undefined =>
  step === undefined || results.get(step.id)?.artifacts.some(({ name }) => name.endsWith('-any.whl'))
    ? undefined
    : step.axes['platform'];

/** Whether a machine runs this platform. A platform for an older system on the same machine fits too. */
function suits(step: Step, platform: string, seen: Seen): boolean {
  const own = ownPlatform(step, seen);
  return own === undefined || own === platform || seen.machineOf(own) === seen.machineOf(platform);
}

/** Maps the plan's platform names to machines: `linux/x86_64`. An unknown name is unchanged. */
function machineNames(steps: readonly Step[]): (platform: string) => string {
  const facts = steps.flatMap(({ params }) => ('for' in params && params.for ? [params.for] : []));
  const known = new Map(facts.map(({ name, os, arch }) => [name, `${os}/${arch}`]));
  return (platform) => known.get(platform) ?? platform;
}

/** Returns why no passed test ran a step's products: its test was dropped or skipped, or it has none. */
function reasonsOf(plan: Plan, tests: readonly Step[], passes: readonly Pass[], seen: Seen): (id: StepId) => string {
  const left = [
    ...plan.dropped.flatMap((one) =>
      one.was && isTest(one.was) ? [{ said: told(one), ids: reached(one.was, seen) }] : [],
    ),
    ...tests
      .filter(({ id }) => !seen.results.has(id))
      .map((test) => ({ said: `its test ${test.id} did not run`, ids: reached(test, seen) })),
  ];
  const platforms = new Set(tests.map((test) => platformOf(test, seen)));
  return (id) => {
    const step = seen.steps.get(id);
    const said = left.find(({ ids }) => ids.has(id))?.said;
    const child = childrenIn(id, seen).find((one) => passes.every(({ ids }) => !ids.has(one)));
    const platform = ownPlatform(step, seen);
    const machines = machinesOf(id, passes);
    if (child === undefined && machines.length > 0)
      return `it is for ${platformsIn(id, seen).join(', ')}, and tests ran it on ${machines.join(', ')} alone`;
    if (child !== undefined) return `${child}, which it points to, was not run`;
    if (said !== undefined) return said;
    return platform === undefined || platforms.has(platform) ? 'no test takes it' : `no test runs on ${platform}`;
  };
}

const told = ({ because }: Dropped): string => `its test was dropped: ${because}`;
