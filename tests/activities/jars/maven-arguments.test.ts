import { mavenArguments } from '../../../src/activities/jars/maven-arguments.js';
import { readPom } from '../../../src/plan/pom.js';
import type { Params } from '../../../src/model/params.js';
import { A_JAR } from './a-jar.js';

const params = (more: Partial<Params['buildJar']> = {}): Params['buildJar'] => ({ ...A_JAR, ...more });
const facts = { repository: '/m2', stage: '/stage', epoch: 1735689600 };
const goals = (pom: string, more: Partial<Params['buildJar']> = {}): readonly string[] =>
  mavenArguments(params(more), readPom(`<project>${pom}</project>`), facts)
    .filter((word) => !/^-[BD]|^-ntp$|^mvn$/.test(word))
    .map((word) => word.replace(/^org\.apache\.maven\.plugins:maven-(.*)-plugin:[\d.]+:/, '$1 '));

describe('the command line of Maven', () => {
  test('given a step, then it has the time of the source, the shared repository and the properties', () => {
    expect(mavenArguments(params({ properties: { doclint: 'none' } }), readPom('<project/>'), facts)).toEqual(
      expect.arrayContaining([
        '-Dproject.build.outputTimestamp=2025-01-01T00:00:00Z',
        '-Dmaven.repo.local=/m2',
        '-DaltDeploymentRepository=stage::file:///stage',
        '-Ddoclint=none',
      ]),
    );
  });

  test.each([
    ['a plain module', '', {}, ['resources resources', 'compiler compile', 'jar jar', 'deploy deploy']],
    [
      'sources and javadoc',
      '',
      { with: ['sources', 'javadoc'] },
      ['resources resources', 'compiler compile', 'jar jar', 'source jar-no-fork', 'javadoc jar', 'deploy deploy'],
    ],
    ['a POM without code', '<packaging>pom</packaging>', {}, ['deploy deploy']],
    ['modules', '<modules><module>a</module></modules>', {}, ['package', 'deploy deploy']],
    ['chosen modules', '', { modules: ['a', 'b'] }, ['-pl', 'a,b', '-am', 'package', 'deploy deploy']],
    [
      'profiles and threads',
      '',
      { profiles: ['release', '!site'], threads: 16 },
      ['-T', '16', '-P', 'release,!site', 'package', 'deploy deploy'],
    ],
    ['an unknown packaging', '<packaging>bundle</packaging>', {}, ['package', 'deploy deploy']],
  ] as const)('given %s, then its goals are as expected', (_, pom, more, expected) => {
    expect(goals(pom, more as Partial<Params['buildJar']>)).toEqual(expected);
  });
});
