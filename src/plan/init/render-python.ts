import type { PythonProject } from './project.js';
import { suiteTest } from './render-suites.js';
import type { Suite, Suites } from '../../model/suite.js';
import { comment, list, literally, map, scalar, nameOf, type Sections } from './yaml.js';

export function pythonSections(projects: readonly PythonProject[], suites: Suites): Sections {
  const deps = projects.flatMap((project) => [
    ...(project.requires?.length === 0 ? [] : [depsOf(project, projects)]),
    ...suiteLocks(project, projects, suites),
  ]);
  const active = deps.some((lines) => lines.some((line) => !line.trimStart().startsWith('#')));
  return {
    pythons: [
      comment('CPythons that it is built for and tested on; a worker must have each of them.'),
      `pythons: ${list(projects[0]!.pythons)}`,
    ],
    ...(deps.length > 0 && {
      deps: [
        comment('Locks, with hashes: what a test needs besides the wheel.'),
        ...(active ? ['deps:'] : ['# deps:']),
        ...deps.flat(),
      ],
    }),
    sdists: [comment('Source archives, from which the wheels are built.'), 'sdists:', ...projects.map(sdistOf)],
    wheels: [comment(wheelComment(projects[0]!)), 'wheels:', ...projects.flatMap(wheelOf)],
    tests: [
      comment(
        'Tests against the built wheels; nothing is published before all have passed. `expect` is a line of the output, `result` a file in {out}; `tree` is all that a test has of the source.',
      ),
      'tests:',
      ...projects.flatMap((project) => [
        ...testOf(project, projects),
        ...ofPython(project, suites).flatMap((suite) =>
          suiteTest(project.folder, suite, [
            `needs: [wheels/${nameOf(project.name)}, deps/${suiteLock(project, projects)}]`,
          ]),
        ),
      ]),
    ],
    publish: [`  index: ${map({ kind: 'python', files: '[wheels/*, sdists/*]', verify: verifyOf(projects) })}`],
  };
}

const lockOf = ({ name }: PythonProject, all: readonly PythonProject[]): string =>
  all.length === 1 ? 'runtime' : `${nameOf(name)}-runtime`;

function depsOf(project: PythonProject, all: readonly PythonProject[]): readonly string[] {
  const lock = lockOf(project, all);
  if (project.requires === null)
    return [
      `#   ${lock}: { requires: [] } # CHOOSE: ${project.file} computes its requirements; list them, and add deps/${lock} to the test's needs`,
    ];
  return [`  ${lock}:`, `    requires:`, ...project.requires.map((one) => `      - ${scalar(literally(one))}`)];
}

const suiteLock = ({ name }: PythonProject, all: readonly PythonProject[]): string =>
  all.length === 1 ? 'test' : `${nameOf(name)}-test`;

const ofPython = ({ folder }: PythonProject, suites: Suites): readonly Suite[] =>
  (suites[folder] ?? []).filter(({ requires }) => requires !== null);

/** One lock for requirements and those of tests, since two could disagree. */
const suiteLocks = (project: PythonProject, all: readonly PythonProject[], suites: Suites): readonly string[][] =>
  ofPython(project, suites).map(({ requires }) => [
    `  ${suiteLock(project, all)}:`,
    '    requires:',
    ...[...(project.requires ?? []), ...requires!].map((one) => `      - ${scalar(literally(one))}`),
  ]);

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

function testOf(project: PythonProject, all: readonly PythonProject[]): readonly string[] {
  const name = nameOf(project.name);
  const locks = project.requires === null || project.requires.length === 0 ? [] : [`deps/${lockOf(project, all)}`];
  const id = all.length === 1 ? 'import' : `import-${name}`;
  return [
    `  ${id}:`,
    `    needs: ${`[${[`wheels/${name}`, ...locks].join(', ')}]`}`,
    `    run: ${scalar(importing(project, true))}`,
    '    expect: imported',
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
