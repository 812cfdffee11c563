import type { Checkout } from '../../src/model/checkout.js';
import type { Problem } from '../../src/model/failure.js';
import type { Plan } from '../../src/model/plan.js';
import { compareVersions, parseVersion } from '../../src/model/python/version.js';
import { TagRules } from '../../src/model/schema/tags.js';
import type { Facts } from '../../src/plan/facts.js';
import { pointerRule } from '../../src/engine/ledger/newest-stable.js';
import { snapshotForPython } from '../../src/plan/version.js';
import { planOf, problemsOf, stepOf } from './a-plan.js';

const COMMIT = `abcdef0${'1'.repeat(33)}`;
const SCM = '[build-system]\nrequires = ["setuptools-scm"]\n[project]\nname = "skiff"\ndynamic = ["version"]\n';
const POM =
  '<project>\n  <artifactId>skiff</artifactId>\n  <version>${revision}</version>\n  <properties><revision>1.4.2</revision></properties>\n</project>\n';

interface Asked {
  readonly texts?: Readonly<Record<string, string>>;
  readonly toml?: Checkout['toml'];
  readonly tags?: readonly string[];
  readonly count?: number;
}

const TOML = {
  'pyproject.toml': {
    'build-system': { requires: ['setuptools-scm'] },
    project: { name: 'skiff', dynamic: ['version'] },
  },
};

const facts = ({ texts, toml = TOML, tags = [], count = 37 }: Asked = {}): Partial<Facts> => ({
  given: { snapshot: true },
  git: {
    ...{ commit: COMMIT, branch: 'main', epoch: 0, files: {} },
    history: {
      ...{ count, name: '', paths: [], toml, broken: [], fitsBundle: true },
      texts: { 'pyproject.toml': SCM, 'pom.xml': POM, ...texts },
      git: { folder: '', hasCommit: true, tags, remote: null },
    },
  },
});

const head = (version = "'1.4.2'"): string => `slipway: 1
release: { name: skiff, version: ${version} }
source: { git: ., commit: HEAD }
platforms: [linux-x86_64]
pythons: [cp311]
`;
const ENV = "env: { SETUPTOOLS_SCM_PRETEND_VERSION: '{version}' }";
const WHEEL = `wheels: { skiff: { ${ENV} } }\n`;
const ALL = `sdists: { skiff: { ${ENV} } }
wheels: { skiff: { needs: [sdists/skiff] } }
jars: { skiff: { properties: { revision: '{version}' } } }
images: { skiff: { needs: [wheels/skiff], files: [Dockerfile] } }
tests:
  venv: { needs: [wheels/skiff], run: 'skiff {version}', expect: '{version}' }
  jvm: { needs: [jars/skiff], in: jvm, run: 'java {version}', expect: '{version}' }
publish:
  index: { kind: python, files: [wheels/*, sdists/*], verify: 'skiff {version}' }
  maven: { kind: maven, files: [jars/skiff] }
  hub: { kind: oci, files: [images/skiff], repository: a/skiff }
`;
const params = (plan: Plan, id: string): object => stepOf(plan, id).params;
const versionOf = (asked: Asked, version?: string): string =>
  planOf(head(version) + WHEEL, facts(asked)).release.version;
const told = (problems: readonly Problem[]): readonly string[] =>
  problems
    .map(({ code, place, path }) => `${code} ${place?.file ?? ''}:${place?.line ?? ''} ${path ?? ''}`.trim())
    .sort();

describe('the version of a snapshot', () => {
  test('when planned, then Python packages have it as PEP 440 spells it, and all else as Maven orders it', () => {
    const plan = planOf(head() + ALL, facts());
    const whole = '1.4.2-snapshot.37.gabcdef0';
    const python = '1.4.2.dev37';
    expect(plan).toMatchObject({ release: { version: whole }, given: { snapshot: true } });
    expect(params(plan, 'sdists/skiff')).toMatchObject({
      version: python,
      env: { SETUPTOOLS_SCM_PRETEND_VERSION: python },
    });
    expect(params(plan, 'wheels/skiff/cp311/linux-x86_64')).toMatchObject({ version: python });
    expect(params(plan, 'tests/venv/cp311/linux-x86_64')).toMatchObject({
      expect: python,
      vars: { SLIPWAY_VERSION: python },
    });
    expect(params(plan, 'prove/target/index')).toMatchObject({ version: python });
    expect(params(plan, 'verify/index/cp311')).toMatchObject({ version: python, vars: { SLIPWAY_VERSION: python } });
    expect(params(plan, 'jars/skiff')).toMatchObject({ version: whole, properties: { revision: whole } });
    expect(params(plan, 'tests/jvm')).toMatchObject({ expect: whole });
    expect(params(plan, 'images/skiff/cp311/linux-x86_64')).toMatchObject({ version: whole, tags: [whole] });
  });

  test.each([
    ['1.4.2', [], '1.4.2'],
    ['1.4.3-SNAPSHOT', [], '1.4.3'],
    ['3.0.0.dev0', [], '3.0.0'],
    ['1.4.2-dev.5', [], '1.4.2'],
    ['1.4.2+local', [], '1.4.2'],
    ['1.4.2', ['v1.4.1', 'v1.4.2'], '1.4.3'],
    ['1.4.2', ['1.4.2', 'skiff-1.4.3'], '1.4.4'],
    ['1.4.2rc1', ['v1.4.2rc1'], '1.4.2rc2'],
    ['1.4', ['v1.4.0'], '1.5'],
    ['1.4.0', ['skiff-1.4'], '1.4.1'],
    ['1.4.2', ['v1.4.2; rm -rf /', '--all', 'v1.4.2$(id)', 'other-1.4.2'], '1.4.2'],
  ])('given %s in the file and the tags %j, then it is one of %s', (version, tags, coming) => {
    expect(versionOf({ tags }, `'${version}'`)).toBe(`${coming}-snapshot.37.gabcdef0`);
  });

  test('given a named source without a version, then its Python entries have the Python version too', () => {
    const { git } = facts();
    const text = `sources: { boat: { git: ../boat } }\nwheels: { boat: { source: boat, run: 'make {version}', builder: command } }\n`;
    const plan = planOf(head() + text, { ...facts(), sources: { boat: git! } });
    expect(params(plan, 'wheels/boat/cp311/linux-x86_64')).toMatchObject({
      ...{ version: null, vars: { SLIPWAY_VERSION: '1.4.2.dev37' } },
    });
  });

  test('given later commits, then it compares greater, above the last release and below the coming one', () => {
    const snapshots = [9, 10, 110].map((count) => snapshotForPython(versionOf({ count }))!);
    const ordered = ['1.4.1', ...snapshots, '1.4.2rc1', '1.4.2'].map((text) => parseVersion(text)!);
    for (const [index, one] of ordered.slice(1).entries()) expect(compareVersions(ordered[index]!, one)).toBe(-1);
  });

  test('given a pointer to the newest stable version, then a snapshot does not move it', () => {
    expect(pointerRule(versionOf({}), ['1.4.1'], 'newest stable')).toMatchObject({ moves: false });
  });
});

describe('what cannot be a snapshot', () => {
  test('given versions that files of the project fix, then each is told with its line and the change', () => {
    const fixed = facts({
      texts: {
        'pyproject.toml': '[project]\nname = "skiff"\nversion = "1.4.2"\n',
        'java/pom.xml': POM.replace('${revision}', '1.4.2'),
      },
      toml: { 'pyproject.toml': { project: { name: 'skiff', version: '1.4.2' } } },
    });
    const problems = problemsOf(`${head()}${WHEEL}jars: { skiff: { folder: java } }\n`, fixed);
    expect(told(problems)).toEqual([
      'SNAPSHOT_VERSION_FIXED java/pom.xml:3',
      'SNAPSHOT_VERSION_FIXED pyproject.toml:3',
    ]);
    expect(problems.map(({ next }) => next).sort()).toEqual([
      expect.stringContaining("SETUPTOOLS_SCM_PRETEND_VERSION: '{version}'"),
      expect.stringContaining('${revision}'),
    ]);
  });

  test('given builds that nobody tells the version, then each entry is told', () => {
    const problems = problemsOf(
      `${head()}wheels: { skiff: {} }
jars: { skiff: {}, keel: { builder: command, run: make, outputs: ['*.jar'] } }
images: { skiff: { files: [Dockerfile], tags: ['1.4.2'] } }\n`,
      facts({ texts: { 'pom.xml': POM } }),
    );
    expect(told(problems)).toEqual([
      'SNAPSHOT_VERSION_FIXED pom.xml:4',
      'SNAPSHOT_VERSION_FIXED slipway.yaml:6 wheels.skiff',
      'SNAPSHOT_VERSION_FIXED slipway.yaml:7 jars.keel',
      'SNAPSHOT_VERSION_FIXED slipway.yaml:8 images.skiff.tags[0]',
    ]);
  });

  test('given a file of tag rules, then a tag of the release is told, and one of the commit or build is not', () => {
    const rulesOf = (...tags: readonly string[]) =>
      TagRules.parse({ versions: [{ rule: 'all', channel: 'all', tags, moves: ['nightly'] }], parts: [] });
    const text = `${head()}images: { skiff: { files: [Dockerfile], tags: tags.yaml } }\n`;
    const given = (...tags: readonly string[]) => ({
      ...{ ...facts(), given: { snapshot: true as const, build: '77' }, tagRules: { 'tags.yaml': rulesOf(...tags) } },
    });
    expect(problemsOf(text, given('{version}', 'stable'))).toMatchObject([
      {
        code: 'SNAPSHOT_VERSION_FIXED',
        path: 'images.skiff.tags',
        message: expect.stringContaining('the tag "stable"'),
      },
    ]);
    expect(() => planOf(text, given('{version}', 'b-{sha6}', 'b-{build}'))).not.toThrow();
  });

  test('given a command that takes the version, then it is a snapshot whatever the files say', () => {
    const text = `${head()}jars: { keel: { builder: command, run: 'make V={version}', outputs: ['*.jar'] } }\n`;
    expect(stepOf(planOf(text, facts()), 'jars/keel').params).toMatchObject({ version: '1.4.2-snapshot.37.gabcdef0' });
  });

  test('given a version without a place in PEP 440, then only a file with Python packages is refused', () => {
    expect(told(problemsOf(head("'1.0.Final'") + WHEEL, facts()))).toEqual([
      'SNAPSHOT_NOT_PEP440 slipway.yaml:2 release.version',
    ]);
    const jars = "jars: { skiff: { properties: { revision: '{version}' } } }\n";
    expect(planOf(head("'1.0.Final'") + jars, facts()).release.version).toBe('1.0.Final-snapshot.37.gabcdef0');
  });

  test.each(['dev', '9'.repeat(75)])(
    'given the version %s, of which no snapshot is a version, then it is told',
    (version) => {
      const jars = "jars: { skiff: { properties: { revision: '{version}' } } }\n";
      expect(told(problemsOf(head(`'${version}'`) + jars, facts()))).toEqual([
        'SNAPSHOT_VERSION_INVALID slipway.yaml:2 release.version',
      ]);
    },
  );

  test('given a pipeline or an sdist, then one sentence refuses it', () => {
    const pipeline = head().replace(/release:.*/, 'pipeline: { name: skiff, label: date }');
    expect(told(problemsOf(`${pipeline}steps: { a: { run: 'true' } }\n`, facts()))).toEqual([
      'SNAPSHOT_OF_PIPELINE slipway.yaml:2 pipeline',
    ]);
    const sdist = head().replace(/source:.*/, `source: { sdist: skiff==1.4.2, sha256: ${'a'.repeat(64)} }`);
    expect(told(problemsOf(sdist + WHEEL, { given: { snapshot: true } }))).toEqual([
      'SNAPSHOT_WITHOUT_COMMIT slipway.yaml:3 source',
    ]);
  });
});
