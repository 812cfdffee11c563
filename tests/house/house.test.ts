import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const list = (...args: string[]): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '');
const read = (file: string): string => {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    return ''; // deleted, or a link to a folder
  }
};
const holding = (files: readonly string[], pattern: RegExp): string[] =>
  files.filter((file) => pattern.test(read(file)));

/** Written in parts, so that this file does not hold what it looks for. */
const host = (...parts: string[]): string => parts.join('\\.');
const HOSTS = [
  host('pypi', 'org'),
  host('pythonhosted', 'org'),
  host('npmjs', '(org|com)'),
  host('repo1?', 'maven'),
  host('central', 'sonatype'),
  host('(deb|security)', 'debian', 'org'),
  host('proxy', 'golang', 'org'),
  host('docker', 'io', '?/v2'),
  host('crates', 'io'),
];
/** Folders of the machine that runs this: where the checkout lies, and somebody's home. */
const MACHINE = [`${ROOT}/`, `${homedir()}/.`];

test('given every file, then none contains the host name of a package registry', () => {
  expect(holding(list(), new RegExp(HOSTS.join('|')))).toEqual([]);
});

test('given every file, then none contains an absolute path of one machine', () => {
  expect(holding(list(), new RegExp(MACHINE.map((folder) => folder.replaceAll('.', '\\.')).join('|')))).toEqual([]);
});

test('given src, config and tools, then none of their files names the example project', () => {
  const example = (JSON.parse(read('package.json')) as { config: { example: string } }).config.example;
  const word = new RegExp(`\\b${example.split('/').pop()!}\\b`, 'i');
  expect(holding(list('src', 'config', 'tools'), word)).toEqual([]);
});

test('given every property test, then it draws from the recorded seed', () => {
  const drawing = holding(list('tests/**/*.test.ts'), /\bfc\.(assert|sample)\(/);
  expect(drawing.length).toBeGreaterThan(10);
  const without = drawing.filter((file) => !/fixed-seed\.js'|\bseed: /.test(read(file)));
  expect(without).toEqual([]);
});

/** Written in parts, so that this file does not hold what it looks for. */
const ELSEWHERE = ['\\bdesign(\\.md)?,?', '\\bengine\\.md'];
test('given every file, then none refers to a design outside the repository', () => {
  const pattern = new RegExp([`${ELSEWHERE[0]} §`, ELSEWHERE[1]].join('|'), 'i');
  expect(holding(list(), pattern)).toEqual([]);
});

test('given the source files, then their median is at most 70 lines, and 95 % have at most 250', () => {
  const lines = list('src/**/*.ts')
    .map((file) => read(file).split('\n').length - 1)
    .sort((a, b) => a - b);
  expect(lines[Math.floor(lines.length / 2)]).toBeLessThanOrEqual(70);
  expect(lines[Math.floor(lines.length * 0.95)]).toBeLessThanOrEqual(250);
});
