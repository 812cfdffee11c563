import { DEBIAN_RELEASES } from '../../model/debian.js';
import type { DockerProject } from './project.js';
import { comment, map, scalar, nameOf, type Sections } from './yaml.js';

export const dockerSections = (projects: readonly DockerProject[]): Sections => ({
  bases: basesOf(projects),
  images: [
    comment('Images, each by its Dockerfile. `context: source` is the commit itself, as `docker build .` has it.'),
    'images:',
    ...projects.map(imageOf),
  ],
  tests: testsOf(projects),
  publish: projects.map(
    ({ name, repository }, at) =>
      `  ${at === 0 ? 'hub' : `hub-${nameOf(name)}`}: ${map({ kind: 'oci', files: `[images/${nameOf(name)}]`, repository: scalar(repository) })}`,
  ),
});

const DEBIAN = /^(?:docker\.io\/)?(?:library\/)?debian:(?:([a-z]+)|(\d+))(?:[.-].*)?$/;

function basesOf(projects: readonly DockerProject[]): readonly string[] {
  const from = projects.flatMap((project) => project.from);
  const suite = from.map(suiteOf).find((one) => one !== null) ?? 'bookworm';
  if (projects.some(({ takesBase }) => takesBase))
    return [
      comment('Base images that Slipway makes from Debian packages and records by digest.'),
      'bases:',
      `  debian: { debian: ${suite}, packages: [] } # CHOOSE the packages`,
    ];
  if (from.length === 0) return [];
  return [
    comment(
      `The Dockerfile takes ${from.slice(0, 3).join(', ')} from a registry. For a base that Slipway makes from Debian packages and records by digest: write \`ARG BASE\` and \`FROM \${BASE}\` into the Dockerfile, \`base: debian\` under the image, and`,
    ),
    `# bases: { debian: { debian: ${suite}, packages: [] } }`,
  ];
}

function suiteOf(image: string): string | null {
  const [, word, number] = DEBIAN.exec(image) ?? [];
  if (number !== undefined)
    return Object.entries(DEBIAN_RELEASES).find(([, { version }]) => version === number)?.[0] ?? null;
  return word === undefined || ['stable', 'latest', 'testing', 'unstable', 'sid', 'oldstable'].includes(word)
    ? null
    : word;
}

const imageOf = ({ name, folder, takesBase, fetches }: DockerProject): string =>
  `  ${nameOf(name)}: ${map({
    ...(takesBase && { base: 'debian' }),
    dockerfile: scalar(folder === '' ? 'Dockerfile' : `${folder}/Dockerfile`),
    context: 'source',
    ...(fetches && { network: 'true' }),
  })}${fetches ? ' # its lines fetch' : ''}`;

function testsOf(projects: readonly DockerProject[]): readonly string[] {
  const [first] = projects;
  const tested = projects.filter(({ hasShell }) => hasShell);
  if (tested.length > 0)
    return [
      comment(
        'Tests that run in the image; nothing is published before all have passed. CHOOSE lines that use what it is for.',
      ),
      'tests:',
      ...tested.map(testOf),
    ];
  return [
    comment(
      'No test: the last stage of the Dockerfile is FROM scratch, and a test is a line for the shell of the image.',
    ),
    `# tests: { ${nameOf(first!.name)}: ${testMap(first!)} } # CHOOSE if the image holds a shell all the same`,
  ];
}

const testOf = (project: DockerProject): string => `  ${nameOf(project.name)}: ${testMap(project)}`;
const testMap = ({ name }: DockerProject): string =>
  map({ needs: `[images/${nameOf(name)}]`, in: 'image', run: "'echo started'", expect: 'started' });
