import { KINDS } from '../../model/kinds.js';
import { Jar } from '../../model/schema/sections/builds.js';
import { readFiles } from '../bundle.js';
import type { Context } from '../context.js';
import { plannedStep } from '../planned-step.js';
import { checkBuilder, commandOf, envOf, frameItem, framedStep, lineOf, treeNeeds, unique } from '../entry.js';
import type { Path } from '../errors.js';
import { refuseIdle } from '../idle-keys.js';
import type { Stage, PlannedStep, PlanEntry, Variant } from '../stage.js';
import { checkTold } from '../snapshot/told.js';
import { baseNeeds } from '../where.js';
import { checkNative, makeNative } from './native.js';
import { isNative, nativesOf } from './natives.js';
import { keyProofs, signaturesItem } from './signatures.js';

export const jars: Stage = {
  id: 'jars',
  title: 'building JARs',
  items: (context) => Object.entries(context.release.jars).flatMap(([name, jar]) => items(name, jar, context)),
  steps: (context) => keyProofs(context),
};

function items(name: string, jar: Jar, context: Context): readonly PlanEntry[] {
  const own = item(name, jar, context);
  if (!isNative(name, context)) {
    checkKeys(jar, ['jars', name], context);
    checkTold(['jars', name], jar, context);
    return [own, ...(jar.sign ? [signaturesItem(name, jar.sign, context)] : [])];
  }
  checkNative(name, jar, context);
  return [
    {
      ...own,
      own: { platform: context.platforms },
      make: (variant) => makeNative(name, jar, variant, context),
    },
  ];
}

const USUAL = Jar.parse({});

const OF_NATIVES = {
  keys: ['cross', 'artifact'],
  why: (key: string) => `"${key}" is for native libraries, and this entry builds none`,
  next: (key: string) => `Take \`${key}\` away, or write \`libraries\`: globs of what its command builds.`,
} as const;

/** Keys that only the other builder reads. */
const OF_THE_OTHER = {
  maven: ['outputs'],
  command: ['prepare', 'modules', 'properties', 'profiles', 'threads', 'with'],
} as const;

function checkKeys(jar: Jar, path: Path, context: Context): void {
  const { builder } = jar;
  const other = {
    keys: OF_THE_OTHER[builder],
    why: (key: string) => `builder ${builder} does not read "${key}"`,
    next: (key: string) => `Take \`${key}\` away, or change \`builder\`.`,
  };
  refuseIdle([jar, USUAL], OF_NATIVES, path, context);
  refuseIdle([jar, USUAL], other, path, context);
}

function item(name: string, jar: Jar, context: Context): PlanEntry {
  const id = `jars/${name}`;
  const path = ['jars', name];
  checkBuilder(jar, path, context);
  const framed = frameItem(id, jar, path, context);
  const needs = unique([
    ...framed.needs,
    ...treeNeeds(framed.needs, path, context),
    ...baseNeeds(jar, id, path, context),
  ]);
  return { ...framed, needs, make: (variant) => make(name, jar, variant, context) };
}

const reasons = ({ JAR_EMPTY }: Jar['accept']): Record<string, string> =>
  JAR_EMPTY === undefined ? {} : { JAR_EMPTY };

const prepareOf = ({ run, env }: NonNullable<Jar['prepare']>, { axes }: Variant, path: Path, context: Context) => ({
  ...lineOf(run, axes, [...path, 'run'], context),
  env: envOf(env, axes, path, context),
});

function make(name: string, jar: Jar, variant: Variant, context: Context): PlannedStep {
  const path = ['jars', name];
  const { axes } = variant;
  const command = commandOf(jar, variant, path, context);
  const properties = Object.entries(jar.properties).map(([key, value]) => [
    key,
    context.text(value, axes, [...path, 'properties', key]),
  ]);
  return plannedStep('buildJar', {
    ...framedStep(variant, jar),
    on: context.queueOf(axes, jar.on, path),
    params: {
      ...command,
      project: name,
      version: context.version,
      builder: jar.builder,
      ...(jar.prepare && { prepare: prepareOf(jar.prepare, variant, [...path, 'prepare'], context) }),
      modules: jar.modules.map((text, index) => context.text(text, axes, [...path, 'modules', index])),
      properties: Object.fromEntries(properties) as Record<string, string>,
      ...(jar.profiles.length > 0 && { profiles: jar.profiles }),
      ...(jar.threads !== undefined && { threads: jar.threads }),
      ...(jar.java !== undefined && { java: jar.java }),
      with: jar.with,
      outputs: jar.outputs.map((text, index) => context.text(text, axes, [...path, 'outputs', index])),
      natives: nativesOf(name, variant, context),
      accept: reasons(jar.accept),
    },
    files: readFiles(
      jar.files,
      [jar.run, ...Object.values(jar.env), jar.prepare?.run, ...Object.values(jar.prepare?.env ?? {})],
      path,
      context,
    ),
    made: true,
    tools: [
      ...(command.where.in === 'container' ? ['docker'] : jar.builder === 'maven' ? ['java', 'javac', 'mvn'] : []),
      ...jar.tools,
    ],
    ...(jar.natives && { timeout: (jar.timeout ?? KINDS.buildJar.limitMs) + jar.natives.wait }),
  });
}
