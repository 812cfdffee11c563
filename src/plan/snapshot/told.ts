import { compileExpression } from '../../model/schema/expression.js';
import type { Jar, Sdist, Wheel } from '../../model/schema/sections/builds.js';
import type { Context } from '../context.js';
import type { Spot } from '../errors.js';
import { inFolder, textOf, type Folder } from '../init/lookup.js';
import { mavenProject } from '../init/maven.js';
import type { Project, VersionFact } from '../init/project.js';
import { pythonProject } from '../init/python.js';
import { readPom } from '../pom.js';
import { problems } from './errors.js';

/** An entry whose product has the version of the release. */
type Built = Pick<Sdist | Wheel | Jar, 'needs' | 'builder' | 'folder' | 'run' | 'env'> &
  Partial<Pick<Jar, 'properties'>> & { readonly prepare?: Wheel['prepare'] | Jar['prepare'] };

/** Returns whether texts that planning fills in hold the version. */
const isTold = (...texts: readonly unknown[]): boolean => JSON.stringify(texts).includes('{version}');

/** Complains about an entry whose product would have another version than that of the snapshot. A wheel has that of its sdist. */
export function checkTold(path: readonly [string, string], entry: Built, context: Context): void {
  const checkout = context.facts.git?.history;
  const { ownSource, version, madeVersion } = context;
  if (!checkout || ownSource || madeVersion === null || entry.needs.some((need) => need.startsWith('sdists/'))) return;
  const { builder, run, prepare, env, properties = {} } = entry;
  const folder = { path: entry.folder === '.' ? '' : entry.folder, checkout };
  const isJar = path[0] === 'jars';
  if (!isJar && version.includes('-snapshot.'))
    context.complain(problems.notPython(context.at(['release', 'version']), version));
  const pom = builder === 'maven' ? (textOf(folder, 'pom.xml') ?? '') : null;
  const project = pom !== null ? mavenProject(folder) : isJar ? null : pythonProject(folder);
  const { from, value } = project?.version ?? {};
  if (isTold(run, prepare, pom !== null ? propertiesIn(pom).map((one) => properties[one]) : from ? [] : env)) return;
  const id = path.join('/');
  const spot = from === undefined ? context.at(path) : spotIn(folder, from);
  context.complain(problems.fixed(spot, id, from === undefined ? null : value!, version, nextOf(id, project)));
}

function nextOf(id: string, project: Project | null): string {
  if (project?.kind === 'maven')
    return `Write \`<version>\${revision}</version>\` there, and \`properties: { revision: '{version}' }\` under ${id}.`;
  if (id.startsWith('jars/')) return `Write {version} into \`run\` or \`env\` of ${id}.`;
  const [variable = 'SETUPTOOLS_SCM_PRETEND_VERSION'] = Object.keys(project?.kind === 'python' ? project.env : {});
  return `Take the version from the project (setuptools-scm, hatch-vcs), and write \`env: { ${variable}: '{version}' }\` under ${id}.`;
}

/** Returns the place of a version in a file of the project. */
function spotIn(folder: Folder, { file, match }: NonNullable<VersionFact['from']>): Spot {
  const text = textOf(folder, file)!;
  const [whole, version] = compileExpression(match, { lines: true }).match(text)!;
  const at = text.indexOf(whole!) + whole!.lastIndexOf(version!);
  return { place: { file: inFolder(folder, file), line: text.slice(0, at).split('\n').length } };
}

/** Properties in the version of a POM. */
const propertiesIn = (pom: string): readonly string[] =>
  [...(readPom(pom).version ?? '').matchAll(/\$\{([\w.-]+)\}/g)].map(([, name]) => name!);
