import type { Jar } from '../../model/schema/sections/builds.js';
import { readFiles } from '../bundle.js';
import type { Context } from '../context.js';
import { aimOf, compilers } from '../cross.js';
import { draft } from '../draft.js';
import { commandOf, idsOf } from '../entry.js';
import { problems } from '../errors.js';
import type { Draft, Variant } from '../item.js';
import { artifactOf, insideOf, librariesOf, placeOf } from './natives.js';

/** What only a JAR of classes has. */
const NOT_HERE = ['sign', 'with', 'modules', 'outputs'] as const;

/** An entry of native libraries is built by a command, and says nothing of Maven. */
export function checkNative(name: string, jar: Jar, context: Context): void {
  const path = ['jars', name];
  const wrong = (key: string, why: string, next: string): void =>
    context.complain(problems.needsThat(context.at([...path, key], 'key'), why, next));
  if (jar.builder !== 'command')
    wrong('builder', 'native libraries are built by a command', 'Write `builder: command` and `run:`.');
  for (const key of NOT_HERE) {
    const said = jar[key];
    if (said !== undefined && !(Array.isArray(said) && said.length === 0))
      wrong(key, 'an entry of native libraries has none', 'It belongs to the entry that gathers them.');
  }
}

/** The step that builds the libraries of one platform. */
export function makeNative(name: string, jar: Jar, variant: Variant, context: Context): Draft {
  const path = ['jars', name];
  const { axes } = variant;
  const command = commandOf(jar, variant, path, context);
  const aim = aimOf(jar, axes, path, context);
  const platform = aim.for;
  const artifact = artifactOf(name, context);
  return draft('buildNative', {
    id: variant.id,
    on: aim.on,
    axes,
    needs: idsOf(variant),
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
    tools: [...(command.where.in === 'host' ? compilers(aim) : ['docker']), 'jar', 'javac', ...jar.tools],
    can: aim.cross === null ? [] : ['cross'],
    timeout: jar.timeout,
    retry: jar.retry,
  });
}
