/** @slow */
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readCheckout } from '../../../src/adapters/checkout/read.js';
import { writeNew } from '../../../src/adapters/checkout/write-new.js';
import { plan } from '../../../src/adapters/facts/index.js';
import { initFile } from '../../../src/plan/init/init.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';
import { expectGolden } from '../../support/golden.js';
import { aCheckout, aFolder, git } from './a-checkout.js';
import { NO_RUNS } from '../../support/no-runs.js';

type Files = Readonly<Record<string, string>>;

/** What `slipway init` does. */
async function init(folder: string): Promise<{ path: string; text: string }> {
  const file = initFile(await readCheckout(folder, '/'));
  await writeNew(folder, file.path, file.text, '/');
  return file;
}
const failureOf = (act: Promise<unknown>): Promise<SlipwayFailure> =>
  act.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => error as SlipwayFailure,
  );

const HATCH = '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n';
const pyproject = (name: string, version: string): string =>
  `${HATCH}[project]\nname = "${name}"\nversion = "${version}"\ndependencies = ["attrs>=23; python_version < '3.12'", "rich[all]"]\nrequires-python = ">=3.11"\n`;
const POM = (version: string): string =>
  `<project><modelVersion>4.0.0</modelVersion><groupId>org.skiff</groupId>\n<artifactId>skiff</artifactId>\n<version>${version}</version></project>\n`;

const PROJECTS: Readonly<Record<string, { readonly files: Files; readonly tags?: readonly string[] }>> = {
  hatchling: { files: { 'pyproject.toml': pyproject('skiff', '1.2.0'), 'src/skiff/__init__.py': '' } },
  'hatch-vcs': {
    files: {
      'pyproject.toml':
        '[build-system]\nrequires = ["hatchling", "hatch-vcs"]\nbuild-backend = "hatchling.build"\n[project]\nname = "skiff"\ndynamic = ["version"]\n[tool.hatch.version]\nsource = "vcs"\n',
      'skiff/__init__.py': '',
    },
    tags: ['v0.9', 'v1.2.0'],
  },
  'setup-py': {
    files: {
      'setup.py':
        "from setuptools import setup, Extension\nimport os; os.system('touch /tmp/slipway-init-ran')\nsetup(\n    name='skiff',\n    version='1.2.0',\n    python_requires='>=3.9,<3.13',\n    install_requires=['numpy', \"attrs>=23\"],  # two\n    ext_modules=[Extension('skiff._core', ['core.c'])],\n)\n",
      'skiff/__init__.py': '',
      'core.c': '',
    },
  },
  'setup-cfg': {
    files: {
      'setup.py': 'from setuptools import setup\nsetup()\n',
      'setup.cfg':
        '[metadata]\nname = skiff\nversion = attr: skiff.__version__\n[options]\npython_requires = >=3.10\ninstall_requires =\n    attrs>=23\n    # a comment\n    rich\n',
      'skiff/__init__.py': '"""Skiff."""\n__version__ = "1.2.0"\n',
    },
  },
  'scikit-build-core': {
    files: {
      'pyproject.toml':
        '[build-system]\nrequires = ["scikit-build-core", "pybind11"]\nbuild-backend = "scikit_build_core.build"\n[project]\nname = "skiff-core"\nversion = "1.2.0"\ndependencies = ["numpy"]\nclassifiers = ["Programming Language :: Python :: 3.11", "Programming Language :: Python :: 3.12"]\n',
      'CMakeLists.txt': 'project(skiff)\n',
      'src/skiff_core/__init__.py': '',
    },
  },
  'maturin-abi3': {
    files: {
      'pyproject.toml':
        '[build-system]\nrequires = ["maturin>=1"]\nbuild-backend = "maturin"\n[project]\nname = "skiff-rs"\ndynamic = ["version"]\n',
      'Cargo.toml':
        '[package]\nname = "skiff-rs"\nversion = "1.2.0"\n[lib]\nname = "skiff"\n[dependencies.pyo3]\nversion = "0.22"\nfeatures = ["abi3-py310"]\n',
    },
  },
  'maven-modules': {
    files: {
      'pom.xml':
        '<project>\n<!-- <version>9</version> -->\n<parent><groupId>org.other</groupId><artifactId>parent</artifactId><version>7</version></parent>\n<groupId>org.skiff</groupId><artifactId>skiff-parent</artifactId>\n<version>1.2.0</version><packaging>pom</packaging>\n<modules><module>hull</module><module>mast</module></modules>\n</project>\n',
      'hull/pom.xml': '<project/>',
      'mast/pom.xml': '<project/>',
    },
  },
  'pytest-and-tox': {
    files: {
      'pyproject.toml': `${pyproject('skiff', '1.2.0')}[project.optional-dependencies]\ntest = ["pytest>=8", "skiff[fast]"]\nfast = ["numpy"]\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n`,
      'tox.ini':
        '[tox]\nenv_list = py3{11,12}, lint\n[testenv]\ncommands =\n  pytest {posargs:-q} # all\n  coverage: coverage report\n[testenv:lint]\ncommands = ruff check\n',
      'skiff/__init__.py': '',
      'tests/test_skiff.py': '',
      'conftest.py': '',
      'Cargo.toml': '[package]\nname = "skiff-rs"\n',
      'src/lib.rs': '#[cfg(test)]\nmod tests {}\n',
    },
  },
  'tox-requirements': {
    files: {
      'pyproject.toml': pyproject('skiff', '1.2.0'),
      'skiff/__init__.py': '',
      'tests/test_skiff.py': '',
      'tox.ini': '[testenv]\ndeps =\n  -rrequirements/tests.txt\n  -c {toxinidir}/constraints.txt\ncommands = pytest\n',
      'requirements/tests.txt': 'pytest\n-r base.txt\n',
      'requirements/base.txt': '',
      'constraints.txt': 'pytest<9\n',
    },
  },
  'maven-tests': {
    files: {
      'hull/pom.xml': POM('1.2.0'),
      'hull/src/test/java/SkiffTest.java': '',
      'hull/package.json': '{"scripts": {"test": "jest"}}',
    },
  },
  dockerfile: {
    files: { Dockerfile: 'FROM debian:bookworm-slim AS base\nFROM base\nCOPY run.sh /\n', 'run.sh': 'echo\n' },
    tags: ['v1.2.0'],
  },
  'dockerfile-from-scratch': {
    files: { Dockerfile: 'FROM debian:bookworm-slim AS build\nRUN make\nFROM scratch\nCOPY --from=build /skiff /\n' },
    tags: ['v1.2.0'],
  },
  'python-and-maven': {
    files: { 'pyproject.toml': pyproject('skiff', '1.2.0'), 'pom.xml': POM('1.2.0'), 'skiff/__init__.py': '' },
  },
  'python-and-another-maven': {
    files: { 'pyproject.toml': pyproject('skiff', '1.2.0'), 'pom.xml': POM('3.0'), Dockerfile: 'FROM scratch\n' },
  },
  'two-folders': {
    files: {
      'hull/pyproject.toml': pyproject('hull', '1.2.0'),
      'hull/hull/__init__.py': '',
      'mast/pyproject.toml': pyproject('mast', '1.2.0'),
    },
  },
  'nothing-said': { files: { 'setup.py': 'import magic\nmagic.setup(install_requires=magic.read())\n' } },
};

describe('given a checkout, the file that init writes is valid', () => {
  test.each(Object.entries(PROJECTS))('given the project %s', async (name, { files, tags = [] }) => {
    const folder = await aCheckout(files, { tags });
    const { path, text } = await init(folder);
    expectGolden(`init/${name}.yaml`, text);
    const planned = await plan(join(folder, path), 'local', {}, NO_RUNS);
    expect(planned.steps.length).toBeGreaterThan(3);
    expect(planned.release.version).toBe(name === 'nothing-said' ? '0.0.1' : '1.2.0');
    expect(planned.notices).toBeUndefined();
  });

  test('given a folder of a repository, then the source is that folder', async () => {
    const top = await aCheckout({ 'libs/skiff/pyproject.toml': pyproject('skiff', '1.2.0'), 'pom.xml': POM('7') });
    const { text } = await init(join(top, 'libs/skiff'));
    expect(text).toContain('source: { git: ., commit: HEAD, folder: libs/skiff }');
    expect((await plan(join(top, 'libs/skiff/slipway.yaml'), 'local', {}, NO_RUNS)).release.name).toBe('skiff');
  });

  test('given links beside it, then the release file has its own folder', async () => {
    const folder = await aCheckout({ 'pyproject.toml': pyproject('skiff', '1.2.0') });
    await symlink('pyproject.toml', join(folder, 'link'));
    const { path, text } = await init(folder);
    expect([path, text.includes('source: { git: .., commit: HEAD }')]).toEqual(['release/slipway.yaml', true]);
    expect((await plan(join(folder, path), 'local', {}, NO_RUNS)).release.version).toBe('1.2.0');
  });
});

describe('bad input to init', () => {
  test.each<readonly [string, string, () => Promise<string>]>([
    ['an empty folder without git', 'INIT_NOT_GIT', () => aFolder({})],
    ['a project without git', 'INIT_NOT_GIT', () => aFolder({ 'pyproject.toml': pyproject('skiff', '1') })],
    ['a missing folder', 'INIT_FOLDER_ABSENT', async () => join(await aFolder({}), 'nowhere')],
    ['a file instead of a folder', 'INIT_FOLDER_ABSENT', async () => join(await aFolder({ a: '' }), 'a')],
    ['a checkout without a project', 'INIT_NOTHING_FOUND', () => aCheckout({ 'Cargo.toml': '[package]\n' })],
    [
      'a project that is not committed',
      'INIT_NOTHING_FOUND',
      async () => {
        const folder = await aCheckout({ 'Cargo.toml': '[package]\n' });
        await writeFile(join(folder, 'pyproject.toml'), pyproject('skiff', '1'));
        return folder;
      },
    ],
    [
      'several projects of different versions',
      'INIT_SEVERAL_PROJECTS',
      () => aCheckout({ 'hull/pyproject.toml': pyproject('hull', '1'), 'mast/pom.xml': POM('2') }),
    ],
    [
      'a pyproject.toml that is no TOML',
      'INIT_FILE_BROKEN',
      () => aCheckout({ 'pyproject.toml': '[project\nname = 1' }),
    ],
    [
      'a repository without commits',
      'INIT_NO_COMMIT',
      async () => {
        const folder = await aFolder({ 'pyproject.toml': pyproject('skiff', '1') });
        git(folder, 'init', '-q');
        return folder;
      },
    ],
    [
      'an existing release file',
      'INIT_FILE_EXISTS',
      () => aCheckout({ 'pyproject.toml': pyproject('skiff', '1'), 'slipway.yaml': 'mine\n' }),
    ],
  ])('given %s, then it is refused with %s and the next command', async (_, code, make) => {
    const folder = await make();
    const { first } = await failureOf(init(folder));
    expect(first).toMatchObject({ code, class: 'config' });
    expect(first.next).toMatch(/`|Correct/);
    if (code === 'INIT_FILE_EXISTS') expect(await readFile(join(folder, 'slipway.yaml'), 'utf8')).toBe('mine\n');
    if (code === 'INIT_FILE_BROKEN') expect(first.place).toMatchObject({ file: 'pyproject.toml', line: 1 });
  });

  test('given a dangling link in place of the release file, then nothing is written through it', async () => {
    const folder = await aCheckout({ 'pyproject.toml': pyproject('skiff', '1') });
    const outside = join(await aFolder({}), 'victim');
    await symlink(outside, join(folder, 'slipway.yaml'));
    await rm(join(folder, 'release'), { recursive: true, force: true });
    await failureOf(writeNew(folder, 'slipway.yaml', 'x', '/'));
    expect(existsSync(outside)).toBe(false);
  });
});

describe('an untrusted checkout', () => {
  test('when init reads it, then none of its code runs', async () => {
    const ran = join(await aFolder({}), 'ran');
    const folder = await aCheckout({
      'setup.py': `open(${JSON.stringify(ran)}, "w")\nfrom setuptools import setup\nsetup(name="skiff", version="1.2.0")\n`,
    });
    const program = join(folder, 'evil.sh');
    await writeFile(program, `#!/bin/sh\ntouch ${ran}\n`);
    await chmod(program, 0o755);
    for (const key of ['core.fsmonitor', 'gpg.program', 'core.pager', 'core.sshCommand', 'diff.external'])
      git(folder, 'config', key, program);
    git(folder, 'config', 'log.showSignature', 'true');
    git(folder, 'tag', 'v1.2.0');
    await init(folder);
    expect(existsSync(ran)).toBe(false);
  });

  test('given hostile names and requirements, then they cannot inject YAML or shell', async () => {
    const evil = "x'\\n# \\u2028steps: { a: { run: 'rm -rf /' } }\\nz";
    const folder = await aCheckout({
      'pyproject.toml': `${HATCH}[project]\nname = "${evil}"\nversion = "1.2.0"\ndependencies = ["${evil}", "a: b", "{c}", "#d", "- e"]\n`,
    });
    const { path, text } = await init(folder);
    expect(text).not.toMatch(/^steps:/m);
    const planned = await plan(join(folder, path), 'local', {}, NO_RUNS);
    expect(planned.steps.some(({ kind }) => kind === 'runCommand')).toBe(false);
    expect(planned.release.name).toMatch(/^[A-Za-z0-9._-]+$/);
  });

  test('given a line of tox.ini that removes files, then it is proposed with its origin, and not run', async () => {
    const kept = join(await aFolder({}), 'kept');
    const folder = await aCheckout({
      'pyproject.toml': pyproject('skiff', '1.2.0'),
      'tests/test_skiff.py': '',
      'tox.ini': `[testenv]\ncommands = touch ${kept}; pytest {env:PWD:x}\u2028steps: { a: { run: b } }\n`,
    });
    const { path, text } = await init(folder);
    expect(existsSync(kept)).toBe(false);
    expect(text).toContain(`  pytest: # from commands in tox.ini\n`);
    const planned = await plan(join(folder, path), 'local', {}, NO_RUNS);
    expect(planned.steps.filter(({ kind }) => kind === 'runCommand')).toEqual([]);
  });

  test('given tests behind a link, then init and the plan do not follow it', async () => {
    const outside = await aFolder({ 'test_other.py': '' });
    const said = '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n';
    const folder = await aCheckout({
      'pyproject.toml': `${pyproject('skiff', '1.2.0')}${said}`,
      'skiff/__init__.py': '',
    });
    await symlink(outside, join(folder, 'tests'));
    git(folder, 'add', '--all');
    git(folder, 'commit', '-q', '-m', 'tests');
    const { path, text } = await init(folder);
    expect(text).not.toContain('pytest tests');
    expect(text).not.toContain('  pytest:');
    expect((await plan(join(folder, path), 'local', {}, NO_RUNS)).notices).toBeUndefined();
  });

  test('given files on tests of 2 MB, then they are not read', async () => {
    const folder = await aCheckout({
      'pyproject.toml': pyproject('skiff', '1.2.0'),
      'tox.ini': `[tox]\nenv_list = ${'lint,'.repeat(400_000)}`,
      'setup.cfg': `[tool:pytest]\ntestpaths = skiff\n${'#\n'.repeat(1_000_000)}`,
    });
    const { path } = await init(folder);
    expect((await plan(join(folder, path), 'local', {}, NO_RUNS)).notices).toBeUndefined();
  });

  test('given large files and folders, then reading is bounded', async () => {
    const folder = await aCheckout({ 'pyproject.toml': pyproject('skiff', '1.2.0') });
    await mkdir(join(folder, 'many'));
    await Promise.all(Array.from({ length: 2500 }, (_, at) => writeFile(join(folder, 'many', `${at}`), '')));
    await writeFile(join(folder, 'setup.py'), '\n'.repeat(2_000_000));
    const { path } = await init(folder);
    expect(path).toBe('release/slipway.yaml');
  });
});

test('given hundreds of packages of tests and a project far below, then the project near the top has its version', async () => {
  const folder = await aCheckout({
    ...Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`tests/m${n}/__init__.py`, ''])),
    'python/pyproject.toml': `${HATCH}[project]\nname = "skiff"\ndynamic = ["version"]\n[tool.hatch.version]\npath = "src/skiff/_version.py"\n`,
    'python/src/skiff/__init__.py': '',
    'python/src/skiff/_version.py': '__version__ = "1.2.0"\n',
    'a/b/c/d/e/pyproject.toml': pyproject('far', '2'),
  });
  expect((await init(folder)).text).toContain('file: python/src/skiff/_version.py, match: ');
});
