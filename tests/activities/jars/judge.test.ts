import { errorLines, failedGoal, judgeJars, judgeMaven } from '../../../src/activities/jars/judge.js';
import type { JarContent } from '../../../src/engine/checks/jar-content.js';
import type { BuiltFile, Module } from '../../../src/activities/jars/judge.js';

const jar = (more: Partial<BuiltFile['coordinates']> = {}, content: JarContent | null = 'classes'): BuiltFile => {
  const coordinates = { groupId: 'g', artifactId: 'a', version: '1', extension: 'jar', classifier: null, ...more };
  return { name: `${coordinates.artifactId}-${coordinates.version}.jar`, coordinates, content };
};
const aModule = (more: Partial<Module> = {}): Module => ({
  folder: 'core',
  artifactId: 'a',
  hasSources: true,
  ...more,
});
const codes = (files: readonly BuiltFile[], modules: readonly Module[]): readonly string[] =>
  judgeJars(files, modules, { version: '1', accept: {} }).problems.map(({ code }) => code);

test('given classes of two newer Javas in one JAR, then the first is named and the others are counted', () => {
  const tooNew = [
    { file: 'a/A.class', java: 17 },
    { file: 'b/B.class', java: 11 },
  ];
  const { problems } = judgeJars([{ ...jar(), tooNew }], [aModule()], { version: '1', accept: {}, java: 8 });
  expect(problems).toMatchObject([
    {
      code: 'CLASS_TOO_NEW',
      message: expect.stringMatching(/a\/A.class is compiled for Java 17.*; so are 1 more/) as string,
    },
  ]);
});

describe('built JARs', () => {
  test.each([
    ['pass with classes', [jar()], [aModule()], []],
    ['with only resources from a module with sources are refused', [jar({}, 'resources')], [aModule()], ['JAR_EMPTY']],
    [
      'with only resources from a module without sources pass',
      [jar({}, 'resources')],
      [aModule({ hasSources: false })],
      [],
    ],
    [
      'without content from a module without sources are refused',
      [jar({}, 'nothing')],
      [aModule({ hasSources: false })],
      ['JAR_EMPTY'],
    ],
    ['without content from an unknown module are refused', [jar({}, 'nothing')], [], ['JAR_EMPTY']],
    ['with a classifier and without a content check pass', [jar({ classifier: 'sources' }, null)], [aModule()], []],
    [
      'of another version are reported once for each project',
      [jar({ version: '2' }), jar({ version: '2', extension: 'pom' })],
      [],
      ['POM_VERSION_DIFFERS'],
    ],
    [
      'with several faults have all of them reported at once',
      [jar({ version: '2' }, 'nothing')],
      [aModule()],
      ['POM_VERSION_DIFFERS', 'JAR_EMPTY'],
    ],
  ])('%s', (_, files, modules, expected) => {
    expect(codes(files, modules)).toEqual(expected);
  });

  test('given an empty JAR, then the problem names it and its module', () => {
    expect(judgeJars([jar({}, 'nothing')], [aModule()], { version: '1', accept: {} }).problems[0]!.message).toBe(
      'a-1.jar holds no class, and its module core has sources',
    );
  });

  test('given an accepted empty JAR, then it is a note; another version is still a problem', () => {
    const accept = { JAR_EMPTY: 'a marker for users of 1.x' };
    const { problems, findings } = judgeJars([jar({ version: '2' }, 'nothing')], [], { version: '1', accept });
    expect(problems.map(({ code }) => code)).toEqual(['POM_VERSION_DIFFERS']);
    expect(findings).toMatchObject([{ level: 'note', code: 'JAR_EMPTY', subject: 'a-2.jar' }]);
    expect(findings[0]!.why).toContain('a marker for users of 1.x');
  });
});

describe('the end of a failed Maven build', () => {
  const output = [
    '[INFO] Building skiff 1',
    '[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.14.0:compile (default-cli) on project skiff: …',
    '[ERROR] /src/A.java:[3,1] cannot find symbol',
    '[ERROR] ',
    '[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.',
  ];

  test("given error lines, then it is reported by them, without Maven's advice", () => {
    expect(errorLines(output)).toEqual(output.slice(1, 3));
  });
  test('given a failed goal, then it is named', () => {
    expect(failedGoal(output)).toBe('org.apache.maven.plugins:maven-compiler-plugin:3.14.0:compile');
  });
  test('given no error lines, then it is reported by its last lines', () => {
    expect(errorLines(['a', 'b'])).toEqual(['a', 'b']);
  });

  test.each([
    ['a compiler', output, 'MAVEN_FAILED'],
    [
      'a repository',
      ['[ERROR] Could not transfer artifact a:b:jar:1 from/to central (https://x.example): Connection refused'],
      'MAVEN_REPOSITORY_UNREACHABLE',
    ],
    ['sources attached twice', ['[ERROR] We have duplicated artifacts attached.'], 'MAVEN_ATTACHED_TWICE'],
  ])('given output of %s, then the problem has the matching code', (_, lines, code) => {
    expect(judgeMaven(1, lines).code).toBe(code);
  });
});
