import type { PythonProject } from './project.js';
import { inFolder } from './lookup.js';
import { proposed, suiteTest } from './render-suites.js';
import type { CommitFiles } from '../../model/checkout.js';
import type { Suite } from '../../model/suite.js';
import { comment, list, literally, map, scalar, nameOf, type Sections } from './yaml.js';

/** A project and the names of its entries. Among several projects a name contains that of its project. */
interface Written {
  readonly project: PythonProject;
  readonly suite: Suite | undefined;
  readonly lock: string;
  readonly suiteLock: string;
  readonly test: string;
}

export function pythonSections(projects: readonly PythonProject[], checkout: CommitFiles): Sections {
  const all = projects.map((project): Written => {
    const own = projects.length === 1 ? '' : nameOf(project.name);
    const named = { lock: own && `${own}-`, test: own && `-${own}` };
    const suite = proposed(project.folder, checkout, true)[0];
    return {
      project,
      suite,
      lock: `${named.lock}runtime`,
      suiteLock: `${named.lock}test`,
      test: `import${named.test}`,
    };
  });
  const deps = all.flatMap(locksOf);
  const active = deps.some((line) => !line.trimStart().startsWith('#'));
  return {
    pythons: [
      comment('CPythons that it is built for and tested on; a worker must have each of them.'),
      `pythons: ${list(projects[0]!.pythons)}`,
    ],
    ...(deps.length > 0 && {
      deps: [
        comment('Locks, with hashes: what a test needs besides the wheel.'),
        ...(active ? ['deps:'] : ['# deps:']),
        ...deps,
      ],
    }),
    sdists: [comment('Source archives, from which the wheels are built.'), 'sdists:', ...projects.map(sdistOf)],
    wheels: [comment(wheelComment(projects[0]!)), 'wheels:', ...projects.flatMap(wheelOf)],
    tests: [
      comment(
        'Tests against the built wheels; nothing is published before all have passed. `expect` is a line of the output, `result` a file in {out}; `tree` is all that a test has of the source.',
      ),
      'tests:',
      ...all.flatMap(testsOf),
    ],
    publish: [`  index: ${map({ kind: 'python', files: '[wheels/*, sdists/*]', verify: verifyOf(projects) })}`],
  };
}

const lockLines = (lock: string, requires: readonly string[]): readonly string[] => [
  `  ${lock}:`,
  ...(requires.length > 0 ? ['    requires:'] : []),
  ...requires.map((one) => `      - ${scalar(literally(one))}`),
];

/** One lock for requirements and those of tests, since two could disagree. */
const locksOf = ({ project: { file, folder, requires }, suite, lock, suiteLock }: Written): readonly string[] => [
  ...(requires === null
    ? [
        `#   ${lock}: { requires: [] } # CHOOSE: ${file} computes its requirements; list them, and add deps/${lock} to the test's needs`,
      ]
    : requires.length === 0
      ? []
      : lockLines(lock, requires)),
  ...(suite ? lockLines(suiteLock, [...(requires ?? []), ...suite.requires!]) : []),
  ...(['in', 'constraints'] as const).flatMap((key) =>
    suite?.[key]?.length ? [`    ${key}: ${list(suite[key].map((file) => inFolder({ path: folder }, file)))}`] : [],
  ),
];

const inherited = ({ env, tools, folder }: PythonProject): Record<string, string | null> => ({
  folder: folder === '' ? null : scalar(folder),
  tools: tools.length === 0 ? null : list(tools),
  env:
    Object.keys(env).length === 0
      ? null
      : map(Object.fromEntries(Object.entries(env).map(([key, text]) => [key, scalar(text)]))),
});

const sdistOf = (project: PythonProject): string => `  ${nameOf(project.name)}: ${map(inherited(project))}`;

const WHEELS = {
  pure: 'without compiled code: one wheel for all Pythons and platforms',
  abi3: 'compiled for the stable ABI, or without Python: one wheel for each platform',
  native: 'compiled: one wheel for each Python and platform',
};
const wheelComment = ({ wheel, backend }: PythonProject): string => `Built by ${backend}, ${WHEELS[wheel]}.`;

function wheelOf(project: PythonProject): readonly string[] {
  const { wheel } = project;
  const { folder: _, ...more } = inherited(project);
  const axes = { pure: { python: 'none', platform: 'none' }, abi3: { python: 'none' }, native: {} }[wheel];
  const name = nameOf(project.name);
  return [
    `  ${name}:`,
    `    needs: [sdists/${name}]`,
    ...Object.entries({ ...axes, ...more }).flatMap(([key, value]) => (value === null ? [] : [`    ${key}: ${value}`])),
    ...(wheel === 'pure'
      ? []
      : [
          '    # packages: [libfoo-dev] # CHOOSE if a header or library is missing: Debian packages; it is then built in a container',
        ]),
  ];
}

function testsOf({ project, suite, lock, suiteLock, test }: Written): readonly string[] {
  const wheel = `wheels/${nameOf(project.name)}`;
  const locks = project.requires === null || project.requires.length === 0 ? [] : [`deps/${lock}`];
  return [
    `  ${test}:`,
    `    needs: [${[wheel, ...locks].join(', ')}]`,
    `    run: ${scalar(importing(project, true))}`,
    '    expect: imported',
    ...(suite ? suiteTest(project.folder, suite, [`needs: [${wheel}, deps/${suiteLock}]`]) : []),
  ];
}

const verifyOf = (projects: readonly PythonProject[]): string | null =>
  projects.length === 1 ? scalar(importing(projects[0]!, false)) : null;

/** Returns a line that imports the installed package, or reads its metadata. */
function importing({ module, name }: PythonProject, says: boolean): string {
  const use =
    module === null ? `import importlib.metadata; importlib.metadata.version("${nameOf(name)}")` : `import ${module}`;
  return `python -c '${use}${says ? '; print("imported")' : ''}'`;
}
