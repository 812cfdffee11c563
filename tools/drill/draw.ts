import { PHASES, type Phase } from '#slipway/model/drill.js';
import type { ServiceName } from '#slipway/model/kind-row.js';
import { KINDS } from '#slipway/model/kinds.js';
import type { Plan, Step } from '#slipway/model/plan.js';
import type { StageId } from '#slipway/model/stages.js';

/** Processes to kill. `worker` runs the step; `door` is the nginx before Temporal; `namespace` is the bwrap around both;
 * `index` is devpi; `web` is nginx, which serves the Maven repository and proxies the index. */
export const VICTIMS = [
  'worker',
  'workflows',
  'supervisor',
  'temporal',
  'door',
  'namespace',
  'index',
  'web',
  'registry',
  'staging',
  'docker',
] as const;
export type Victim = (typeof VICTIMS)[number];

export interface Point {
  readonly step: string;
  readonly phase: Phase;
  /** Delay after the phase, in milliseconds; 0 for a phase at which the step pauses. */
  readonly afterMs: number;
  readonly victim: Victim;
}

/** Relative frequency of stages, default 1. Irreversible steps are drawn most. */
const WEIGHTS: Partial<Record<StageId, number>> = { publish: 10, point: 3, verify: 3, images: 3, prove: 0.5 };
/** The supervisor is drawn rarely, because its death restarts everything. */
const VICTIM_WEIGHTS: Readonly<Record<Victim, number>> = {
  worker: 3,
  workflows: 1,
  supervisor: 0.7,
  temporal: 1,
  door: 1,
  namespace: 1,
  index: 3,
  web: 3,
  registry: 3,
  staging: 2,
  docker: 2,
};
/** Longest delay in milliseconds. Many steps end sooner, and the kill then meets another step. */
const LONGEST_MS = 1_500;

export interface Draw {
  /** Returns points of the next rehearsal. Fewer than `count` if the steps have no more phases. */
  points(count: number): readonly Point[];
}

/** Draws points of a plan. Equal seeds give equal points.
 * @param prefix limits steps by id
 * @param victims limits the kills */
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

/** Two kills at one phase of one step count as one. */
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

export function victimsOf(step: Step): readonly Victim[] {
  const services: readonly ServiceName[] = KINDS[step.kind].services;
  const always: readonly Victim[] = ['worker', 'workflows', 'supervisor', 'temporal', 'door', 'namespace'];
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

/** mulberry32 by Tommy Ettinger: small, and random enough here. Uniform in [0, 1). */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
