import type { Params } from '../../model/params.js';
import type { Pom } from '../../plan/pom.js';

type JarParams = Params['buildJar'];

/** Pinned versions of Maven's plugins, so that a build does not depend on the machine's Maven. */
const PLUGINS = {
  resources: '3.3.1',
  compiler: '3.14.0',
  jar: '3.4.2',
  source: '3.3.1',
  javadoc: '3.11.2',
  deploy: '3.1.4',
} as const;

const goal = (plugin: keyof typeof PLUGINS, name: string): string =>
  `org.apache.maven.plugins:maven-${plugin}-plugin:${PLUGINS[plugin]}:${name}`;

export interface MavenFacts {
  /** Local repository that all builds of this machine share. */
  readonly repository: string;
  /** Folder that Maven deploys to. */
  readonly stage: string;
  /** Seconds since 1970. */
  readonly epoch: number;
}

/** Building any module with these goals fetches the pinned plugins and their dependencies. */
export const OWN_GOALS: readonly string[] = [
  goal('resources', 'resources'),
  goal('compiler', 'compile'),
  goal('jar', 'jar'),
  goal('source', 'jar-no-fork'),
  goal('javadoc', 'jar'),
  goal('deploy', 'deploy'),
];

/** Returns Maven's command line. A plain module is built by pinned goals. A POM with modules, a parent, its own goals
 * or chosen profiles is built by its lifecycle. Tests are skipped: the stage `tests` runs them. */
export function mavenArguments(params: JarParams, pom: Pom, facts: MavenFacts): readonly string[] {
  return [
    'mvn',
    '-B',
    '-ntp',
    '-Dstyle.color=never',
    ...(params.threads === undefined ? [] : ['-T', String(params.threads)]),
    ...(params.profiles === undefined ? [] : ['-P', params.profiles.join(',')]),
    ...(params.modules.length > 0 ? ['-pl', params.modules.join(','), '-am'] : []),
    `-Dmaven.repo.local=${facts.repository}`,
    `-Dproject.build.outputTimestamp=${new Date(facts.epoch * 1000).toISOString().replace('.000Z', 'Z')}`,
    `-DaltDeploymentRepository=stage::file://${facts.stage}`,
    ...(params.java === undefined ? [] : [`-Dmaven.compiler.release=${params.java}`]),
    ...Object.entries(params.properties).map(([name, value]) => `-D${name}=${value}`),
    ...(isPlain(params, pom) ? plainGoals(params, pom) : ['-DskipTests', ...lifecycleGoals(params)]),
  ];
}

export const isPlain = (params: JarParams, pom: Pom): boolean =>
  params.modules.length === 0 &&
  params.profiles === undefined &&
  pom.modules.length === 0 &&
  !pom.ownLifecycle &&
  ['jar', 'pom'].includes(pom.packaging);

const extras = (params: JarParams): readonly string[] => [
  ...(params.with.includes('sources') ? [goal('source', 'jar-no-fork')] : []),
  ...(params.with.includes('javadoc') ? [goal('javadoc', 'jar')] : []),
];

const plainGoals = (params: JarParams, pom: Pom): readonly string[] =>
  pom.packaging === 'pom'
    ? [goal('deploy', 'deploy')]
    : [
        goal('resources', 'resources'),
        goal('compiler', 'compile'),
        goal('jar', 'jar'),
        ...extras(params),
        goal('deploy', 'deploy'),
      ];

/** Runs up to `package`, then the pinned deploy plugin: older ones do not understand the folder's address. */
const lifecycleGoals = (params: JarParams): readonly string[] => [
  'package',
  ...extras(params),
  goal('deploy', 'deploy'),
];
