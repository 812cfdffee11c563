import { Jar } from '../../model/schema/sections/builds.js';
import { readFiles } from '../bundle.js';
import type { Context } from '../context.js';
import { aimOf, compilers } from '../cross.js';
import { plannedStep } from '../planned-step.js';
import { commandOf, framedStep } from '../entry.js';
import { refuseIdle } from '../idle-keys.js';
import type { PlannedStep, Variant } from '../stage.js';
import { artifactOf, insideOf, librariesOf, placeOf } from './natives.js';

const OF_CLASSES = {
  keys: ['prepare', 'sign', 'with', 'modules', 'properties', 'profiles', 'threads', 'java', 'outputs', 'accept'],
  why: () => 'an entry of native libraries has none',
  next: () => 'It belongs to the entry that gathers them.',
} as const;

/** Keys of an entry that gathers libraries. `folder` also belongs to the entry that builds them. */
const OF_GATHERERS = { ...OF_CLASSES, keys: ['as', 'module', 'platforms', 'wait'] } as const;

const USUAL = Jar.parse({});

/** Checks an entry of native libraries: built by a command, without Maven keys. */
export function checkNative(name: string, jar: Jar, context: Context): void {
  const path = ['jars', name];
  const wrong = (key: string, why: string, next: string): void => context.needsThat([...path, key], why, next);
  if (jar.builder !== 'command')
    wrong('builder', 'native libraries are built by a command', 'Write `builder: command` and `run:`.');
  refuseIdle([jar, USUAL], OF_CLASSES, path, context);
  const { natives } = jar;
  if (natives === undefined) return;
  const usual = Jar.parse({ natives: natives.folder }).natives!;
  refuseIdle([natives, usual], OF_GATHERERS, [...path, 'natives'], context);
}

/** Plans the step that builds the libraries of one platform. */
export function makeNative(name: string, jar: Jar, variant: Variant, context: Context): PlannedStep {
  const path = ['jars', name];
  const { axes } = variant;
  const command = commandOf(jar, variant, path, context);
  const aim = aimOf(jar, axes, path, context);
  const platform = aim.for;
  const artifact = artifactOf(name, context);
  return plannedStep('buildNative', {
    ...framedStep(variant, jar),
    on: aim.on,
    params: {
      ...command,
      project: name,
      version: context.version,
      for: platform,
      cross: aim.cross,
      libraries: librariesOf(jar).map((text, index) => context.text(text, axes, [...path, 'libraries', index])),
      inside: insideOf(name, axes, platform, context),
      place: placeOf(artifact.name, platform.name, axes, context),
      coordinates: artifact.group === null ? null : { groupId: artifact.group, artifactId: artifact.name },
    },
    files: readFiles(jar.files, [jar.run, ...Object.values(jar.env)], path, context),
    made: true,
    tools: [...compilers(aim, command.where.in === 'host'), 'jar', 'javac', ...jar.tools],
    can: aim.cross === null ? [] : ['cross'],
  });
}
