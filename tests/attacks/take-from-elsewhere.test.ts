import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_PAST, plan } from '../../src/adapters/facts/index.js';
import { createPlanner } from '../../src/adapters/facts/planner.js';
import { allowRoot, readRoots } from '../../src/adapters/facts/roots.js';
import { submitHere } from '../../src/adapters/facts/submit-here.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { aWheel, wheelName } from '../support/a-wheel.js';

let at: string;
/** Release file, in a checkout. */
let file: string;
const git = (cwd: string, ...args: readonly string[]): void =>
  void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...args], { cwd });

function repository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'private.txt'), 'private\n');
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'one');
}

beforeEach(() => {
  at = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-elsewhere-')));
  repository(join(at, 'project'));
  repository(join(at, 'other'));
  mkdirSync(join(at, 'project', 'release'));
  file = join(at, 'project', 'release', 'slipway.yaml');
});
afterEach(() => rmSync(at, { recursive: true }));

const HEAD = (source: string): string =>
  `slipway: 1\nrelease: { name: night, version: '1.0' }\nsource: { git: ${source} }\nplatforms: [linux-x86_64]\npythons: [cp311]\n`;
const NAME = wheelName({ python: 'cp311' });
const takes = (path: string): void =>
  writeFileSync(
    file,
    `${HEAD('..')}wheels: { boat: { from: { at: '{wheels}/', take: 'file:${path}' } } }\ntests: { smoke: { in: venv, needs: [wheels/boat], run: python -c 1, expect: fine } }\n`,
  );
const made = (given = {}) => plan(file, 'local', given);

describe('a release file takes a wheel', () => {
  const dist = (): string => join(at, 'project', 'dist');
  beforeEach(async () => {
    mkdirSync(dist());
    writeFileSync(join(at, NAME), await aWheel({ python: 'cp311' }));
  });

  test.each([
    ['a path out of its checkout', () => takes(`../../${NAME}`)],
    [
      'a link of its checkout to a file elsewhere',
      () => {
        symlinkSync(join(at, NAME), join(dist(), NAME));
        takes(`../dist/${NAME}`);
      },
    ],
    [
      'a link of its checkout to /dev/zero',
      () => {
        symlinkSync('/dev/zero', join(dist(), NAME));
        takes(`../dist/${NAME}`);
      },
    ],
    [
      'a link of its folder to a folder elsewhere',
      () => {
        symlinkSync(at, join(dist(), 'more'));
        takes(`../dist/more/${NAME}`);
      },
    ],
  ])('given %s, then it is refused', async (_, attack) => {
    attack();
    await expect(made()).rejects.toThrow(/WHEEL_FILE_OUTSIDE/);
  });

  test('given a pipe in its checkout, then planning does not wait', async () => {
    execFileSync('mkfifo', [join(dist(), NAME)]);
    takes(`../dist/${NAME}`);
    await expect(made()).rejects.toThrow(/WHEEL_FILE_ABSENT.*no ordinary file/);
  });

  test('given a file of its checkout, or one that is typed, then it is taken', async () => {
    cpSync(join(at, NAME), join(dist(), NAME));
    takes(`../dist/${NAME}`);
    expect((await made()).steps.map(({ kind }) => kind)).toContain('takeWheel');
    takes(`../../${NAME}`);
    expect((await made({ wheels: { boat: `file:${join(at, NAME)}` } })).steps.map(({ kind }) => kind)).toContain(
      'takeWheel',
    );
  });
});

describe('a release file that control plans names a repository', () => {
  // Its whole checkout is an allowed folder.
  beforeEach(() => {
    mkdirSync(home(), { mode: 0o700 });
    allowRoot(home(), join(at, 'project'));
  });
  const home = (): string => join(at, 'home');
  const env = {};
  const store = () => createDirectoryStore(join(home(), 'store'));
  const typed = () => submitHere(file, 'local', { env, home: home(), store: store(), past: NO_PAST });
  const started = () => {
    const signatures = { sign: async () => undefined, isSigned: async () => true };
    return createPlanner(store(), signatures, (kind) => readRoots(env, home(), kind)).submit(file, 'local');
  };
  const theirs = (): string => join(at, 'other', '.git', 'objects');
  /** A bare repository of the commit with their history and no objects of its own. */
  const borrows = (name: string, line: string): string => {
    const bare = join(at, 'project', name);
    cpSync(join(at, 'other', '.git'), bare, { recursive: true });
    rmSync(join(bare, 'objects'), { recursive: true });
    mkdirSync(join(bare, 'objects', 'info'), { recursive: true });
    writeFileSync(join(bare, 'objects', 'info', 'alternates'), `${line}\n`);
    // Git itself finds their commit in it.
    if (name === 'bare' && line !== '') git(bare, 'cat-file', '-e', 'main');
    return `../${name}`;
  };
  const names = (source: string): void => writeFileSync(file, `${HEAD(source)}steps: { one: { run: 'true' } }\n`);

  test.each([
    ['a path elsewhere', () => '../../other'],
    [
      'a link to it',
      () => {
        symlinkSync(join(at, 'other'), join(at, 'project', 'near'));
        return '../near';
      },
    ],
    ['a bare repository of the commit that borrows its objects', () => borrows('bare', theirs())],
    [
      'one that borrows them by another one of the commit',
      () => {
        borrows('more', theirs());
        return borrows('bare', '../../more/objects');
      },
    ],
    [
      'one whose folders of objects are links to theirs',
      () => {
        const bare = borrows('bare', '');
        for (const name of readdirSync(theirs()).filter((one) => one !== 'info'))
          symlinkSync(join(theirs(), name), join(at, 'project', 'bare', 'objects', name));
        return bare;
      },
    ],
    [
      'a bare repository of the commit that names another one',
      () => {
        const bare = join(at, 'project', 'bare');
        mkdirSync(bare);
        writeFileSync(join(bare, 'HEAD'), 'ref: refs/heads/main\n');
        writeFileSync(join(bare, 'commondir'), join(at, 'other', '.git'));
        return '../bare';
      },
    ],
  ])('given %s after a run was typed, then it is refused until one is typed again', async (_, attack) => {
    names('..');
    await typed();
    expect((await started()).digest).toMatch(/^sha256:/);
    names(attack());
    await expect(started()).rejects.toThrow(/REPOSITORY_OUTSIDE/);
    await typed();
    expect((await started()).digest).toMatch(/^sha256:/);
  });

  test('given one that borrows them by a path that git unquotes, then it is refused, and typed too', async () => {
    names(borrows('bare', `"${theirs().replace(/^[/]/, '\\057')}"`));
    await expect(started()).rejects.toThrow(/quoted path/);
    await expect(typed()).rejects.toThrow(/quoted path/);
  });
});
