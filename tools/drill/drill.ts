import type { Plan } from '#slipway/model/plan.js';
import { DRILL_PORT } from '#slipway/model/drill.js';
import { fail } from '#slipway/model/failure.js';
import { openStore } from '#slipway/adapters/store/open.js';
import { withoutUnserved } from '#slipway/plan/unserved.js';
import { queuesHere } from '#slipway/services/catalog/worker.js';
import { createServices } from '#slipway/services/create-services.js';
import { createDraw, VICTIMS, type Draw, type Point, type Victim } from './draw.js';
import { notServedHere, nothingToDrill } from './errors.js';
import { Gate } from './gate.js';
import { makeHome, removeHome } from './home.js';
import { processesOf } from './left-behind.js';
import { createRegistries } from './registries.js';
import { rehearse, said, type Rehearsed, type Site } from './rehearsal.js';
import { createVictims } from './victims.js';

export interface DrillAsked {
  /** Absolute path. */
  readonly file: string;
  readonly plan: Plan;
  readonly points: number;
  readonly seed: number;
  readonly rehearsals: number;
  /** Only steps whose ids have this prefix. */
  readonly prefix: string;
  readonly victims: readonly Victim[];
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

export interface Drilled {
  readonly release: { readonly name: string; readonly version: string };
  readonly seed: number;
  readonly asked: number;
  readonly points: number;
  readonly rehearsals: readonly Rehearsed[];
  readonly lost: number;
  readonly twice: number;
  readonly orphans: number;
  /** Runs that did not end as rehearsed. */
  readonly unfinished: number;
  readonly ms: number;
  /** Folder of a drill with findings. Null: it was removed. */
  readonly kept: string | null;
}

/** Extra rehearsals for points that no step reached, for instance because it was already published. */
const MORE = 3;
const quiet = { onLine: (): void => undefined };

/** Rehearses a release repeatedly, kills processes that it depends on, and judges the results.
 * @param parent home that contains the drill's own
 * @param env of this process */
export async function drill(wish: DrillAsked, parent: string, env: NodeJS.ProcessEnv): Promise<Drilled> {
  const begun = performance.now();
  const asked = { ...wish, plan: servedHere(wish.plan) };
  const draw = createDraw(asked.plan, asked.seed, asked);
  const planned = shares(asked.points, asked.rehearsals).map((count) => draw.points(count));
  if (planned[0]!.length === 0) throw fail(nothingToDrill(asked.prefix));
  const home = await makeHome(parent);
  asked.signal.addEventListener('abort', () => asked.onLine('stopping: everything of the drill is taken down …'));
  const gate = new Gate();
  // Kept until the result is known, because a failure needs the logs.
  let kept = true;
  try {
    const site = await makeSite(asked, home, gate, env);
    const all = await rehearseAll(site, planned, draw);
    await site.services.down(quiet);
    const drilled = summed(asked, all, processesOf(home), performance.now() - begun);
    kept = isBad(drilled);
    return { ...drilled, kept: kept ? home : null };
  } catch (error) {
    kept = !asked.signal.aborted;
    throw error;
  } finally {
    gate.close();
    if (kept) await createServices({ ...env, SLIPWAY_HOME: home }).down(quiet);
    else await removeHome(home);
  }
}

async function rehearseAll(site: Site, planned: readonly (readonly Point[])[], draw: Draw): Promise<Rehearsed[]> {
  const all: Rehearsed[] = [];
  const next = [...planned];
  for (let missed = 0, points = next.shift(); points !== undefined; points = next.shift()) {
    site.onLine(`rehearsal ${all.length + 1}: ${points.length} points`);
    const rehearsed = await rehearse(site, points);
    all.push(rehearsed);
    site.onLine(`rehearsal ${all.length}: ${told(rehearsed)}`);
    missed += rehearsed.missed.length;
    if (next.length > 0 || missed === 0 || all.length >= planned.length + MORE) continue;
    next.push(draw.points(missed));
    missed = 0;
  }
  return all;
}

/** Splits points evenly; no share is empty. */
const shares = (points: number, rehearsals: number): readonly number[] =>
  Array.from({ length: Math.min(points, rehearsals) }, (_, at) => Math.ceil((points - at) / rehearsals));

/** Returns the part of a plan that this machine's queues can run. Throws DRILL_NEEDS_QUEUES. */
function servedHere(plan: Plan): Plan {
  const here = queuesHere();
  const elsewhere = [...new Set(plan.steps.map(({ on }) => on))].filter((queue) => !here.includes(queue));
  const { plan: left, refused } = withoutUnserved(plan, elsewhere);
  if (refused.length > 0) throw fail(notServedHere(refused));
  return left;
}

export const isBad = ({ lost, twice, orphans, unfinished }: Drilled): boolean =>
  lost + twice + orphans + unfinished > 0;

async function makeSite(asked: DrillAsked, home: string, gate: Gate, env: NodeJS.ProcessEnv): Promise<Site> {
  const own = { ...apart(env), SLIPWAY_HOME: home, [DRILL_PORT]: String(await gate.listen()) };
  const services = createServices(own);
  const { file, plan, seed, signal, onLine } = asked;
  return {
    ...{ file, plan, seed, signal, onLine, home, gate, services },
    env: own,
    store: await openStore(own, home),
    registries: createRegistries((name) => services.address(name)),
    victims: createVictims(home),
    ownsEngine,
  };
}

/** Only root can start a separate engine; a drill must not kill another one. */
export const ownsEngine = (): boolean => process.getuid?.() === 0;
export const victimsHere = (): readonly Victim[] => VICTIMS.filter((name) => name !== 'docker' || ownsEngine());

/** Removes variables that lead to another server, store or engine. */
function apart(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isForeign = (name: string): boolean => name.startsWith('TEMPORAL_') || name.startsWith('SLIPWAY_STORE');
  const rest = Object.entries(env).filter(([name]) => !isForeign(name));
  return { ...Object.fromEntries(rest), ...(ownsEngine() ? { SLIPWAY_ENGINE: 'own' } : {}) };
}

function summed(
  { plan, seed, points }: DrillAsked,
  rehearsals: readonly Rehearsed[],
  processes: readonly string[],
  ms: number,
): Omit<Drilled, 'kept'> & { kept: null } {
  const count = (what: (one: Rehearsed) => readonly unknown[]): number =>
    rehearsals.reduce((sum, one) => sum + what(one).length, 0);
  return {
    release: plan.release,
    seed,
    asked: points,
    points: count(({ killed }) => killed),
    rehearsals,
    lost: count(({ lost }) => lost),
    twice: count(({ twice }) => twice),
    orphans: count(({ orphans }) => orphans) + processes.length,
    unfinished: rehearsals.filter(({ unfinished }) => unfinished.length > 0).length,
    ms: Math.round(ms),
    kept: null,
  };
}

const told = ({ killed, missed, wanted, lost, twice, orphans, unfinished, ms }: Rehearsed): string =>
  [
    `${killed.length} killed in ${(ms / 1000).toFixed(0)} s, ${wanted} files wanted, ${lost.length} lost, ${twice.length} twice, ${orphans.length} orphans`,
    ...missed.map((one) => `not met: ${said(one)}`),
    ...[...lost.map((one) => `lost ${one}`), ...twice.map((one) => `twice ${one}`)],
    ...[...orphans.map((one) => `orphan ${one}`), ...unfinished.map((one) => `unfinished: ${one}`)],
  ].join('\n  ');
