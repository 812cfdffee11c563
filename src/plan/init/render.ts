import type { Checkout } from '../../model/checkout.js';
import { ReleaseFile } from '../../model/schema/release-file.js';
import type { FoundProjects } from './find.js';
import type { DockerProject, MavenProject, Project, PythonProject } from './project.js';
import { dockerSections } from './render-docker.js';
import { mavenSections } from './render-maven.js';
import { pythonSections } from './render-python.js';
import { suiteSections } from './render-suites.js';
import { comment, list, map, scalar, nameOf, type Sections } from './yaml.js';

/** Version of a file for a project without one. */
const UNKNOWN = '0.0.1';

/** Returns the text of a release file for these projects.
 * @param repository path from the file to the checkout's folder: `.` or `..` */
export function releaseFileText(
  { released, mentioned }: FoundProjects,
  checkout: Checkout,
  repository: string,
): string {
  const first = released[0]!;
  const python = released.filter((one): one is PythonProject => one.kind === 'python');
  const maven = released.filter((one): one is MavenProject => one.kind === 'maven');
  const docker = released.filter((one): one is DockerProject => one.kind === 'docker');
  const parts = [
    ...(python.length > 0 ? [pythonSections(python, checkout)] : []),
    ...suiteSections([...new Set(released.map(({ folder }) => folder))], checkout),
    ...(maven.length > 0 ? [mavenSections(maven)] : []),
    ...(docker.length > 0 ? [dockerSections(docker)] : []),
  ];
  const files = [...new Set(released.map(({ folder, file }) => (folder === '' ? file : `${folder}/${file}`)))];
  const text = [
    [
      comment(
        `Written by \`slipway init\` from ${files.join(', ')}. Check it with \`slipway check\`, run it with \`slipway run --wait\`.`,
      ),
      comment('Every key is in docs/reference/release-file.md of Slipway; `slipway schema` prints it for editors.'),
      'slipway: 1',
    ],
    release(first),
    source(checkout, repository),
    platforms(released),
    ...BEFORE_PUBLISH.map((section) => merged(section, parts)),
    publish(parts),
    ...mentioned.map(({ project, why }) => [
      comment(`Left out: ${project.folder === '' ? '' : `${project.folder}/`}${project.file}, since ${why}.`),
    ]),
  ];
  return `${text
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const SECTIONS = Object.keys(ReleaseFile.shape);
const BEFORE_PUBLISH = SECTIONS.slice(0, SECTIONS.indexOf('publish'));

function release({ name, version, file, folder }: Project): readonly string[] {
  const said = version?.from;
  const from =
    said && map({ file: scalar(folder === '' ? said.file : `${folder}/${said.file}`), match: scalar(said.match) });
  const note =
    version === null
      ? `What is released. CHOOSE the version: nothing in ${file} or in the tags tells it.`
      : said
        ? 'What is released. The commit says the version.'
        : 'What is released, and as which version.';
  return [
    comment(`${note}${version?.doubt ? ` ${sentence(version.doubt)}.` : ''}`),
    `release: ${map({ name: scalar(nameOf(name)), version: from ?? `'${version?.value ?? UNKNOWN}'` })}`,
  ];
}

const sentence = (text: string): string => `Version: ${text}`;

function source({ git }: Checkout, repository: string): readonly string[] {
  const folder = git?.folder ?? '';
  return [
    comment('Built from this commit, never from the working tree. `commit` also takes a tag, a branch or a hash.'),
    `source: ${map({ git: repository, commit: 'HEAD', folder: folder === '' ? null : scalar(folder) })}`,
  ];
}

function platforms(released: readonly Project[]): readonly string[] {
  const isNative = released.some((one) => one.kind === 'python' && one.wheel !== 'pure');
  const note = isNative
    ? 'What the wheels are for. Also linux-aarch64, macos-arm64, windows-x86_64, where workers serve them (docs/platforms.md).'
    : released.some(({ kind }) => kind === 'docker')
      ? 'What the image is for. Also linux-aarch64, where a worker serves or emulates it (docs/images.md).'
      : 'Where it is built and tested.';
  return [comment(note), `platforms: ${list(['linux-x86_64'])}`];
}

/** Returns the first comment of a section, then the lines of all projects under its key. */
function merged(section: string, parts: readonly Sections[]): readonly string[] {
  const all = parts.flatMap((part) => (part[section] === undefined ? [] : [part[section]]));
  const [first, ...more] = all;
  return first === undefined
    ? []
    : [...first, ...more.flatMap((lines) => lines.filter((line) => line.startsWith('  ')))];
}

function publish(parts: readonly Sections[]): readonly string[] {
  return [
    comment('Where it goes: registries on this machine, until a profile names others (config/profiles/live.yaml).'),
    'publish:',
    ...parts.flatMap((part) => part['publish'] ?? []),
  ];
}
