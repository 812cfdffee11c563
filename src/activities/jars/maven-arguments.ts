import type { Params } from '../../model/params.js';
import type { Pom } from './pom.js';

type JarParams = Params['buildJar'];

/** Versions of Maven's own plugins: what builds does not change with the machine's Maven. */
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
  /** Local repository that the machine's builds share. */
  readonly repository: string;
  /** Folder that takes the place of the Maven repository. */
  readonly stage: string;
  /** Seconds since 1970. */
  readonly epoch: number;
}

/** Goals that bring our plugins, and what they need, into the local repository when they build any module. */
export const OWN_GOALS: readonly string[] = [
  goal('resources', 'resources'),
  goal('compiler', 'compile'),
  goal('jar', 'jar'),
  goal('source', 'jar-no-fork'),
  goal('javadoc', 'jar'),
  goal('deploy', 'deploy'),
];

/** The command line. A plain module is built by pinned goals, its POM untouched; one with modules, a parent or goals of its own
 * by its own lifecycle, without its tests, since a release tests what it built. */
export function mavenArguments(params: JarParams, pom: Pom, facts: MavenFacts): readonly string[] {
  return [
    'mvn',
    '-B',
    '-ntp',
    '-Dstyle.color=never',
    ...(params.modules.length > 0 ? ['-pl', params.modules.join(','), '-am'] : []),
    `-Dmaven.repo.local=${facts.repository}`,
    `-Dproject.build.outputTimestamp=${new Date(facts.epoch * 1000).toISOString().replace('.000Z', 'Z')}`,
    `-DaltDeploymentRepository=stage::file://${facts.stage}`,
    ...Object.entries(params.properties).map(([name, value]) => `-D${name}=${value}`),
    ...(isPlain(params, pom) ? plainGoals(params, pom) : ['-DskipTests', ...lifecycleGoals(params)]),
  ];
}

export const isPlain = (params: JarParams, pom: Pom): boolean =>
  params.modules.length === 0 &&
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

/** Up to `package`, then our own deploy: older ones of a POM would not understand the folder's address. */
const lifecycleGoals = (params: JarParams): readonly string[] => [
  'package',
  ...extras(params),
  goal('deploy', 'deploy'),
];
