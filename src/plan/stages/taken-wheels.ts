import { ownWheel, ownWheels } from '../own-wheels.js';
import { CONTROL } from '../../model/ids.js';
import type { WheelPlace } from '../../model/wheel-params.js';
import { Wheel } from '../../model/schema/sections/builds.js';
import type { Context } from '../context.js';
import { frameItem, idsOf, pythonByPlatform } from '../entry.js';
import type { Path } from '../errors.js';
import type { TakenWheel } from '../facts.js';
import { axesWithout, refuseIdle } from '../idle-keys.js';
import { plannedStep } from '../planned-step.js';
import type { PlannedStep, PlanEntry, Variant } from '../stage.js';
import { problems } from '../taken/errors.js';

type From = NonNullable<Wheel['from']>;

/** Time for the download and the look into the wheel, besides the wait for it. */
const TAKING_MS = 30 * 60_000;

/** The step asks again by itself for as long as the file says. */
const NO_MORE = { times: 0, wait: { waitMs: 0 }, atMost: 0 };

/** A wheel that says nothing. */
const USUAL = Wheel.parse({});

const OF_BUILDS = {
  keys: [
    ...(['source', 'on', 'files', 'network', 'env', 'folder', 'tools', 'packages', 'base', 'cross'] as const),
    ...(['builder', 'run', 'lock', 'requires', 'cutoff', 'sameAs', 'again', 'retryFailed'] as const),
    ...(['outputs', 'overlay', 'prepare', 'repair', 'accept'] as const),
  ],
  why: (key: string) => `"from" takes a wheel as it is, so "${key}" has no effect`,
  next: (key: string) => `Take \`${key}\` away; or take \`from\` away, and the wheel is built.`,
} as const;

/** A wheel that another pipeline built. */
export function takenItem(name: string, wheel: Wheel, from: From, context: Context): PlanEntry {
  const path = ['wheels', name];
  refuseIdle([wheel, USUAL], OF_BUILDS, path, context);
  const found = context.facts.wheels?.[name];
  if (found === undefined) context.complain(problems.notResolved(context.at([...path, 'from'], 'key'), name));
  else checkCommit(name, wheel, found, context);
  return {
    ...frameItem(`wheels/${name}`, wheel, path, context),
    own: pythonByPlatform(context),
    without: axesWithout(wheel, path, context),
    make: (variant) => make(name, wheel, { from, found }, variant, context),
  };
}

/** A wheel that says its commit is tested by the tests of that commit. */
function checkCommit(name: string, { commit }: Wheel, found: TakenWheel, context: Context): void {
  const { source } = context.release;
  const isWhole = source !== undefined && 'git' in source && source.folder === undefined;
  if (commit === undefined || !isWhole || found.commit === null || found.commit === context.commit) return;
  context.complain(
    problems.otherCommit(context.at(['wheels', name, 'from']), { name, ...found, source: context.commit ?? '' }),
  );
}

interface Taking {
  readonly from: From;
  readonly found: TakenWheel | undefined;
}

function make(name: string, wheel: Wheel, { from, found }: Taking, variant: Variant, context: Context): PlannedStep {
  const { axes } = variant;
  return plannedStep('takeWheel', {
    id: variant.id,
    on: CONTROL,
    axes,
    needs: idsOf(variant),
    params: {
      project: wheel.project ?? name,
      python: axes['python'] ?? null,
      for: context.platformFacts(axes),
      from: found === undefined ? { at: '' } : placeOf(found, variant, ['wheels', name, 'from', 'at'], context),
      wanted: found?.commit ?? context.commit,
      commit: wheel.commit ?? null,
      waitMs: from.wait,
    },
    timeout: from.wait + (wheel.timeout ?? TAKING_MS),
    retry: { ...wheel.retry, infra: wheel.retry?.infra ?? NO_MORE },
  });
}

function placeOf({ from }: TakenWheel, { axes }: Variant, path: Path, context: Context): WheelPlace {
  if ('at' in from) return { at: context.text(from.at, axes, path) };
  const { name, digest, size } = (from.files[axes['python'] ?? ''] ?? from.files[''])!;
  return { name, digest, size };
}

/** Leaves out the variants of a taken wheel that nothing needs, where others are needed: each is waited for. */
export function withoutIdleWheels(variants: readonly Variant[], { release }: Context): readonly Variant[] {
  if (ownWheels(release).every(([, { from }]) => from === undefined)) return variants;
  const needed = new Set(variants.flatMap(({ needs }) => needs));
  const used = new Set([...needed].map(({ item }) => item));
  return variants.filter((one) => !isTaken(one, release) || needed.has(one) || !used.has(one.item));
}

const isTaken = ({ item }: Variant, release: Context['release']): boolean =>
  item.path[0] === 'wheels' && ownWheel(release, String(item.path[1]))?.from !== undefined;
