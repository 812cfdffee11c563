/** @slow */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const DIGEST = 'a'.repeat(64);
const BUILT_S = 1_000_000;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'slipway-bundle-'));
  cpSync(join(ROOT, 'bin'), join(root, 'bin'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

function slipway(args: readonly string[] = [], env: Record<string, string> = {}) {
  const { PATH = '' } = process.env;
  const argv = [join(root, 'bin', 'slipway.js'), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', env: { PATH, ...env } });
  return { status, stdout, stderr };
}

/** A file that was written so many seconds after the bundle. */
function write(path: string, text: string, laterS: number): void {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, BUILT_S + laterS, BUILT_S + laterS);
}

describe('the code that a command loads', () => {
  const MADE_FROM = [
    ...['dist/core.tsbuildinfo', 'dist/node.tsbuildinfo', 'dist/workflows.tsbuildinfo'],
    'node_modules/.package-lock.json',
  ];
  beforeEach(() => {
    write('dist/cli/main.js', "console.log('dist')", -60);
    for (const file of MADE_FROM) write(file, '', -30);
  });
  const writeBundle = () => write('dist-cli/main.js', `console.log('bundle')\n// ${DIGEST}\n`, 0);

  test('given a bundle newer than dist and the packages, then it is the bundle', () => {
    writeBundle();
    expect(slipway()).toEqual({ status: 0, stdout: 'bundle\n', stderr: '' });
  });

  test('given no bundle, then it is dist', () => {
    expect(slipway()).toEqual({ status: 0, stdout: 'dist\n', stderr: '' });
  });

  test.each(MADE_FROM)('given %s newer than the bundle, then it is dist', (file) => {
    writeBundle();
    write(file, '', 1);
    expect(slipway()).toEqual({ status: 0, stdout: 'dist\n', stderr: '' });
  });

  test.each([
    ['nothing', ''],
    ['bytes that are no compiled code', `${DIGEST}nonsense`],
    ['the code of another bundle', `${'b'.repeat(64)}nonsense`],
  ])('given compiled code with %s, then it is ignored', (_, text) => {
    writeBundle();
    write('dist-cli/main.v8', text, 0);
    expect(slipway()).toEqual({ status: 0, stdout: 'bundle\n', stderr: '' });
  });

  test('given no build at all, then the error says what to type', () => {
    rmSync(join(root, 'dist'), { recursive: true });
    const { status, stderr } = slipway();
    expect(status).toBe(1);
    expect(stderr).toMatch(/^ {2}NOT_BUILT .*\n {2}next: Type `npm start` there\.\n$/);
  });
});

describe('the bundle of these sources', () => {
  beforeEach(() => {
    for (const part of ['config', 'dist', 'examples', 'node_modules', 'package.json', 'src'])
      symlinkSync(join(ROOT, part), join(root, part));
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools', 'bundle', 'main.mjs'), root]);
    expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
  });

  test('given a command, then it prints the same as dist, runs code compiled by V8, and names sources in stack traces', () => {
    const env = { SLIPWAY_HOME: join(root, 'home') };
    const inDist = (args: readonly string[]) => {
      const argv = [join(root, 'dist', 'cli', 'main.js'), ...args];
      const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
        encoding: 'utf8',
        env: { ...process.env, ...env },
      });
      return { status, stdout, stderr: withoutHint(stderr) };
    };
    for (const args of [['--help'], ['--version'], ['plan', 'none.yaml'], ['status', 'none'], ['schema', 'check']]) {
      const said = slipway(args, env);
      expect({ ...said, stderr: withoutHint(said.stderr) }).toEqual(inDist(args));
    }
    const plan = ['plan', join(ROOT, 'examples', 'jep', 'slipway.yaml')];
    expect(slipway(plan, env)).toMatchObject({ status: 0, stdout: inDist(plan).stdout });
    expect(refusedByV8()).toBe('false\n');
    expect(slipway(['plan', 'none.yaml'], { SLIPWAY_DEBUG: '1' }).stderr).toMatch(/src\/cli\/main\.ts:\d+:\d+/);
  });
});

/** `false` for the file that a short command loads; `undefined` if it has no compiled code. */
function refusedByV8(): string {
  const script = `
    process.argv = [process.execPath, 'slipway', '--version'];
    const scripts = require(${JSON.stringify(join(root, 'bin', 'bundle.js'))}).loadBundle(${JSON.stringify(root)});
    process.on('exit', () => scripts.forEach(({ script }) => console.error(String(script.cachedDataRejected))));`;
  return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stderr;
}

/** The line about PATH names the folder of the program. */
const withoutHint = (text: string): string => text.replace(/`slipway` is not on the PATH[^]*/, '');
