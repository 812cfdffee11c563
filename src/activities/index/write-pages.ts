import { fail, type Problem } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import type { ListOutcome, ListRequest, WritePages } from '../../model/index-writer.js';
import type { Plan, Step, StepOf } from '../../model/plan.js';
import type { Target } from '../../model/target.js';
import { problemsIn } from '../publish/proofs.js';
import type { Connection, Targets } from '../publish/target.js';
import { drawPages } from './draw-pages.js';
import { notAnIndex } from './errors.js';
import type { IndexPlace } from './ports.js';

export interface WritingPorts {
  /** Reads a signed plan. Throws PLAN_MISSING or PLAN_NOT_SIGNED. */
  planOf(digest: string): Promise<Plan>;
  /** Resolves address and secrets of a target, if this worker's policy allows it. */
  connect(plan: Plan, step: StepOf<'publishArtifacts'>): Promise<Connection>;
  readonly targets: Pick<Targets, 'index'>;
}

/** Draws the pages of several requests, those of one index together. A request that is refused has its problems as
 * outcome. */
export const createWritePages =
  (ports: WritingPorts): WritePages =>
  async ({ requests }) => {
    const outcomes: ListOutcome[] = requests.map(() => ({ findings: [] }));
    const groups = new Map<string, Group>();
    for (const [at, request] of requests.entries()) {
      const refused = await problemsIn(async () => join(groups, await openIndex(ports, request), request, at));
      if (refused.length > 0) outcomes[at] = { problems: refused };
    }
    for (const group of groups.values()) for (const [at, outcome] of await drawGroup(group)) outcomes[at] = outcome;
    return { outcomes };
  };

interface Group {
  readonly place: IndexPlace;
  readonly asked: Map<number, readonly string[]>;
}

interface Opened {
  readonly key: string;
  readonly place: IndexPlace;
}

async function openIndex(ports: WritingPorts, { plan: digest, step: id }: ListRequest): Promise<Opened> {
  const plan = await ports.planOf(digest);
  const step = plan.steps.find((one) => one.id === id);
  if (step === undefined || !listsWheels(step)) throw fail(notAnIndex(id, digest));
  const to = await ports.connect(plan, step);
  const place = ports.targets.index?.(to) ?? null;
  if (place === null) throw fail(notAnIndex(id, digest));
  return { key: keyOf(to), place };
}

const listsWheels = (step: Step): step is StepOf<'publishArtifacts'> & Step =>
  step.kind === 'publishArtifacts' && step.params.target.kind === 'simple';

const keyOf = ({ address, extra }: Pick<Target, 'address'> & { readonly extra?: unknown }): string =>
  JSON.stringify([address, extra]);

function join(groups: Map<string, Group>, { key, place }: Opened, { names }: ListRequest, at: number): void {
  const group = groups.get(key) ?? { place, asked: new Map() };
  groups.set(key, group);
  group.asked.set(at, names);
}

/** Draws one index. A platform whose pages cannot be drawn does not keep the others from theirs. */
async function drawGroup({ place, asked }: Group): Promise<readonly (readonly [number, ListOutcome])[]> {
  const problems = new Map<string, readonly Problem[]>();
  const findings: Finding[] = [];
  for (const [platform, projects] of byPlatform([...asked.values()].flat())) {
    const found = await problemsIn(async () => findings.push(...(await drawPages(place, platform, projects))));
    if (found.length > 0) problems.set(platform, found);
  }
  return [...asked].map(([at, names]) => [at, outcomeOf(names, problems, findings)] as const);
}

function outcomeOf(
  names: readonly string[],
  problems: ReadonlyMap<string, readonly Problem[]>,
  findings: readonly Finding[],
): ListOutcome {
  const refused = [...byPlatform(names).keys()].flatMap((platform) => problems.get(platform) ?? []);
  if (refused.length > 0) return { problems: refused };
  const projects = new Set(names.map((name) => name.split('/')[1]));
  return { findings: findings.filter(({ subject }) => projects.has(subject.split('/').at(-2))) };
}

function byPlatform(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>();
  for (const name of new Set(names)) {
    const [platform = '', project = ''] = name.split('/');
    const projects = all.get(platform) ?? [];
    all.set(platform, projects);
    projects.push(project);
  }
  return all;
}
