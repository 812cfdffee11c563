import { fail } from '#slipway/model/failure.js';
import type { Plan } from '#slipway/model/plan.js';
import type { Store } from '#slipway/activities/ports.js';
import { ask } from '#slipway/services/ask.js';
import type { Services } from '#slipway/services/create-services.js';
import { pause, until } from '#slipway/services/poll.js';
import type { Point } from './draw.js';
import { drillStopped } from './errors.js';
import type { Gate } from './gate.js';
import { reset } from './home.js';
import { judge, type Judgement } from './judge.js';
import { PHASE_NAMES } from './phase-names.js';
import { createKills } from './kills.js';
import { leftBehind } from './left-behind.js';
import type { Registries } from './registries.js';
import { startRelease } from './release.js';
import type { Victims } from './victims.js';

export interface Site {
  readonly file: string;
  readonly plan: Plan;
  readonly seed: number;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly services: Services;
  readonly store: Store;
  readonly registries: Registries;
  readonly victims: Victims;
  readonly gate: Gate;
  /** False if another user started the engine. */
  readonly ownsEngine: () => boolean;
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

export interface Rehearsed extends Judgement {
  readonly killed: readonly Point[];
  /** Points that no step reached: a retry skips what the killed attempt had done. */
  readonly missed: readonly Point[];
  readonly orphans: readonly string[];
  readonly unfinished: readonly string[];
  readonly ms: number;
}

const quiet = { onLine: (): void => undefined };
/** No run takes so long; a run that hangs is a finding and does not end the drill. */
const LONGEST_MS = 30 * 60_000;
const PRUNE_MS = 60_000;
/** Time for restarted processes to clean up after the last kill. */
const TIDY_WITHIN_MS = 30_000;

export async function rehearse(site: Site, points: readonly Point[]): Promise<Rehearsed> {
  const { plan, home, services, victims, gate, signal } = site;
  await services.down(quiet);
  await reset(home, site.store, new Set(points.map(({ step }) => step)));
  await services.up(quiet);
  if (site.ownsEngine() && points.some(({ step }) => stageOf(plan, step) === 'images')) await forgetLayers(services);
  const begun = performance.now();
  const kills = createKills(points, victims, {
    queueOf: (step) => plan.steps.find(({ id }) => id === step)!.on,
    restart: () => services.up(quiet),
    onKill: (point) => site.onLine(`KILL ${said(point)}`),
  });
  gate.ask((reached, gone) => kills.reached(reached, gone));
  const release = startRelease(site.file, site.env);
  const hung = new AbortController();
  try {
    const ended = await Promise.race([
      release.ended,
      kills.failed,
      pause(LONGEST_MS, AbortSignal.any([signal, hung.signal])).then(() => null),
    ]);
    if (signal.aborted) throw fail(drillStopped(site.seed));
    await kills.over();
    await victims.allUp();
    const judgement = await judge(home, plan, ended?.run ?? null, site);
    return {
      ...judgement,
      killed: kills.done,
      missed: points.filter((point) => !kills.done.includes(point)),
      orphans: await orphans(site),
      unfinished: ended === null ? [`it did not end within ${LONGEST_MS / 60_000} minutes`] : ended.because,
      ms: Math.round(performance.now() - begun),
    };
  } finally {
    hung.abort();
    release.stop();
    gate.ask(async () => undefined);
  }
}

const stageOf = (plan: Plan, step: string): string => plan.steps.find(({ id }) => id === step)!.stage;

/** Empties the build cache, so that images are built from the first line. */
async function forgetLayers(services: Services): Promise<void> {
  await ask(services.address('docker')!, '/build/prune?all=1', { method: 'POST', limitMs: PRUNE_MS });
}

async function orphans({ home, services, ownsEngine }: Site): Promise<readonly string[]> {
  let left: readonly string[] = [];
  const look = async (): Promise<boolean> => {
    left = await leftBehind(home, ownsEngine() ? services.address('docker') : null);
    return left.length === 0;
  };
  await until(look, TIDY_WITHIN_MS);
  return left;
}

export const said = ({ victim, step, phase, afterMs }: Point): string =>
  `${victim}: ${step}, ${PHASE_NAMES[phase]}${afterMs > 0 ? ` since ${(afterMs / 1000).toFixed(1)} s` : ''}`;
