import { PHASES, type Phase } from '../model/drill.js';
import { KINDS } from '../model/kinds.js';
import type { Plan, Step } from '../model/plan.js';
import type { StageId } from '../model/stages.js';

/** What is killed. `worker` is the one that carries the step; `index` is devpi, `web` is nginx: the Maven repository, and in front of the index. */
export const VICTIMS = [
  'worker',
  'workflows',
  'supervisor',
  'temporal',
  'index',
  'web',
  'registry',
  'staging',
  'docker',
] as const;
export type Victim = (typeof VICTIMS)[number];

/** One kill: of whom, at which step, when. */
export interface Point {
  readonly step: string;
  readonly phase: Phase;
  /** So long after the phase, in milliseconds: a random time in the middle of the step. 0 for a phase that stands still. */
  readonly afterMs: number;
  readonly victim: Victim;
}

/** How often a stage is drawn, however many steps it has; 1 where it is not named. What cannot be taken back is drawn most. */
const WEIGHTS: Partial<Record<StageId, number>> = { publish: 10, point: 3, verify: 3, images: 3, prove: 0.5 };
/** Killing the supervisor starts everything again. */
const VICTIM_WEIGHTS: Readonly<Record<Victim, number>> = {
  worker: 3,
  workflows: 1,
  supervisor: 0.7,
  temporal: 2,
  index: 3,
  web: 3,
  registry: 3,
  staging: 2,
  docker: 2,
};
/** Longest random time, in milliseconds: many steps are over sooner, and the kill then meets another one. */
const LONGEST_MS = 1_500;

export interface Draw {
  /** Points of the next rehearsal; fewer where its steps have no more moments. */
  points(count: number): readonly Point[];
}

/** Draws points of a plan: the same seed, the same points.
 * @param only prefix of the steps' ids, and what may be killed */
export function createDraw(
  plan: Plan,
  seed: number,
  { prefix = '', victims = VICTIMS }: { readonly prefix?: string; readonly victims?: readonly Victim[] } = {},
): Draw {
  const random = chance(seed);
  const steps = plan.steps.filter(({ id, kind }) => id.startsWith(prefix) && kind !== 'passGate');
  return {
    points(count) {
      const drawn: Point[] = [];
      for (let tries = 0; drawn.length < count && tries < 200 * count && steps.length > 0; tries += 1) {
        const point = one(steps, victims, random);
        if (point !== null && !drawn.some((other) => isSame(other, point))) drawn.push(point);
      }
      return drawn;
    },
  };
}

/** Two kills at one moment of one step are one. */
export const isSame = (a: Point, b: Point): boolean => a.step === b.step && a.phase === b.phase;

function one(steps: readonly Step[], allowed: readonly Victim[], random: () => number): Point | null {
  const stages = [...new Set(steps.map(({ stage }) => stage))];
  const drawn = pick(stages, (stage) => WEIGHTS[stage] ?? 1, random);
  const among = steps.filter(({ stage }) => stage === drawn);
  const step = pick(among, () => 1, random);
  const phase = pick(PHASES, () => 1, random);
  const afterMs = Math.floor(random() * LONGEST_MS);
  const victims = victimsOf(step).filter((victim) => allowed.includes(victim));
  if (victims.length === 0) return null;
  const victim = pick(victims, (name) => VICTIM_WEIGHTS[name], random);
  return { step: step.id, phase, afterMs: phase === 'begun' ? afterMs : 0, victim };
}

/** Who has a part in a step. */
export function victimsOf(step: Step): readonly Victim[] {
  const { services } = KINDS[step.kind];
  const always: readonly Victim[] = ['worker', 'workflows', 'supervisor', 'temporal'];
  if ('target' in step.params) return [...always, ...ofTarget(step.params.target.kind, step.kind)];
  return [...always, ...(['docker', 'staging'] as const).filter((name) => services.includes(name))];
}

function ofTarget(kind: string, doing: Step['kind']): readonly Victim[] {
  if (kind === 'python') return ['index', 'web'];
  if (kind === 'maven') return ['web'];
  if (kind !== 'oci') return [];
  if (doing === 'verifyTarget') return ['registry', 'docker'];
  return doing === 'publishArtifacts' ? ['registry', 'staging'] : ['registry'];
}

function pick<T>(all: readonly T[], weight: (one: T) => number, random: () => number): T {
  const total = all.reduce((sum, one) => sum + weight(one), 0);
  let left = random() * total;
  for (const one of all) if ((left -= weight(one)) < 0) return one;
  return all.at(-1)!;
}

/** mulberry32 of Tommy Ettinger: small, and good enough to deal cards. Uniform in [0, 1). */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
