import { layoutFolder } from '../../model/layout.js';
import type { Axes } from '../../model/ids.js';
import { order } from '../../model/order.js';
import type { NativeRef, Params } from '../../model/params.js';
import type { PlatformFacts } from '../../model/platform.js';
import type { Jar } from '../../model/schema/sections/builds.js';
import type { Context } from '../context.js';
import { problems, type Path } from '../errors.js';
import type { Variant } from '../stage.js';
import { plannedCollisions, sharedClassifiers, type Planned } from '../natives.js';
import { parseRef } from '../refs.js';
import { planSource } from './source.js';

/** Default outputs: everything that the command leaves. */
const LIBRARIES = ['{out}/*'];
const FOLDER = 'native/{native}';

/** Returns the entries whose JARs include the native libraries of this entry. */
const gatherers = (name: string, context: Context): readonly string[] =>
  Object.entries(context.release.jars)
    .filter(([, jar]) => jar.natives !== undefined && jar.needs.some((text) => parseRef(text)?.id === `jars/${name}`))
    .map(([other]) => other);

/** Whether an entry builds native libraries: it has `libraries`, or another entry gathers it. */
export const isNative = (name: string, context: Context): boolean =>
  context.release.jars[name]!.libraries !== undefined || gatherers(name, context).length > 0;

export const librariesOf = (jar: Jar): readonly string[] => jar.libraries ?? LIBRARIES;

/** Returns the folder inside a JAR for the native libraries of an entry. The entry's `natives.folder` comes first, then that of the
 * JAR that gathers its libraries, then the default. */
export function insideOf(name: string, axes: Axes, platform: PlatformFacts, context: Context): string {
  const [gatherer] = gatherers(name, context);
  const { jars } = context.release;
  const template = jars[name]!.natives?.folder ?? jars[gatherer ?? '']?.natives?.folder ?? FOLDER;
  return folderOf(template, axes, platform, ['jars', gatherer ?? name, 'natives'], context);
}

const folderOf = (template: string, axes: Axes, { name }: PlatformFacts, path: Path, context: Context): string =>
  context.text(template, { ...axes, platform: name }, path);

/** Parses `group:name`. The default is the gatherer, because the JAR is a part of it. */
export function artifactOf(name: string, context: Context): { readonly group: string | null; readonly name: string } {
  const said = context.release.jars[name]!.artifact;
  if (said !== undefined) {
    const [last, group] = said.split(':').reverse() as [string, string?];
    return { group: group ?? null, name: last };
  }
  const [gatherer, ...more] = gatherers(name, context);
  if (gatherer === undefined || more.length > 0) return { group: null, name };
  return { group: null, name: nativeEntries(gatherer, context).length > 1 ? `${gatherer}-${name}` : gatherer };
}

const nativeEntries = (gatherer: string, context: Context): readonly string[] =>
  Object.keys(context.release.jars).filter((name) => gatherers(name, context).includes(gatherer));

/** Path of a platform's JAR in the store's layout, at which other pipelines of the commit find it. */
export function placeOf(artifact: string, platform: string, axes: Axes, context: Context): string {
  const { platform: _, ...others } = axes;
  const values = Object.keys(others).sort().map((axis) => others[axis]!); // prettier-ignore
  const file = [artifact, context.version, ...values, platform].join('-');
  return `${layoutFolder({ source: planSource(context) })}/jars/${platform}/${file}.jar`;
}

/** Parameters of an entry that gathers libraries: the JAR of each platform, built here or elsewhere. Null for other
 * entries. */
export function nativesOf(name: string, variant: Variant, context: Context): Params['buildJar']['natives'] {
  const { natives } = context.release.jars[name]!;
  if (natives === undefined) return null;
  const path = ['jars', name, 'natives'];
  const refs = [...builtHere(name, variant, context), ...builtElsewhere(name, variant, context)];
  if (refs.length === 0) context.complain(noNatives(path, context));
  const wrong =
    natives.as === 'classifier' ? sharedClassifiers(name, refs) : plannedCollisions(name, [...refs].sort(byPlatform));
  for (const problem of wrong) context.complain({ ...problem, ...context.at(path) });
  return {
    as: natives.as,
    module: natives.module ?? null,
    waitMs: natives.wait,
    from: [...refs].sort(byPlatform).map(({ names: _names, ...ref }): NativeRef => ref),
  };
}

const byPlatform = (a: NativeRef, b: NativeRef): number => order(a.for.name, b.for.name) || order(a.path, b.path);

const noNatives = (path: Path, context: Context) =>
  problems.needsThat(
    context.at(path),
    'it gathers native libraries, and needs no entry that builds some',
    "Name one: needs: ['jars/NAME[*]'], or under natives the platforms that another pipeline builds.",
  );

function builtHere(gatherer: string, variant: Variant, context: Context): readonly Planned[] {
  const natives = variant.needs.filter(
    ({ item }) => item.id.startsWith('jars/') && isNative(item.id.slice(5), context),
  );
  return natives.map(({ id, item, axes }) => {
    const name = item.id.slice('jars/'.length);
    return refOf({ gatherer, entry: name, platform: axes['platform'] ?? '', axes, step: id }, context);
  });
}

/** Platforms that only another pipeline builds, for each gathered entry. */
function builtElsewhere(gatherer: string, variant: Variant, context: Context): readonly Planned[] {
  const here = new Set(variant.needs.map(({ item, axes }) => `${item.id} ${axes['platform']}`));
  const entries = nativeEntries(gatherer, context);
  return context.release.jars[gatherer]!.natives!.platforms.flatMap((platform, index) => {
    const known = Object.keys(context.facts.platforms);
    if (!known.includes(platform)) {
      const path = ['jars', gatherer, 'natives', 'platforms', index];
      context.complain(problems.unknownPlatform(context.at(path), platform, known));
      return [];
    }
    return (entries.length > 0 ? entries : [null])
      .filter((entry) => !here.has(`jars/${entry} ${platform}`))
      .map((entry) => refOf({ gatherer, entry, platform, axes: { platform }, step: null }, context));
  });
}

interface Wanted {
  readonly gatherer: string;
  /** Null if this file has none: the JAR then has the gatherer's name. */
  readonly entry: string | null;
  readonly platform: string;
  readonly axes: Axes;
  readonly step: string | null;
}

function refOf({ gatherer, entry, platform, axes, step }: Wanted, context: Context): Planned {
  const facts = context.platformFacts({ platform });
  const { natives } = context.release.jars[gatherer]!;
  const path = ['jars', gatherer, 'natives'];
  const artifact = entry === null ? gatherer : artifactOf(entry, context).name;
  const globs = entry === null ? LIBRARIES : librariesOf(context.release.jars[entry]!);
  return {
    for: facts,
    folder: folderOf(natives!.folder, axes, facts, path, context),
    path: placeOf(artifact, platform, axes, context),
    step,
    names: globs.map((glob) => context.text(glob.slice(glob.lastIndexOf('/') + 1), { ...axes, platform }, path)),
  };
}
