/** @slow */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc } from '../support/fixed-seed.js';
import { shellText } from '../../src/plan/shell/line.js';

const WORDS = { branch: 'main', version: '1.0', 'python.version': '3.12', opt: '-O2' };
const shell = (text: string, words: Readonly<Record<string, string>> = WORDS) =>
  shellText(text, { words, late: ['files', 'out'], axes: { opt: '-O2' } });

describe('given a placeholder, when a line is made, then the shell reads one value', () => {
  test.each([
    ['cp {files}/a b', 'cp "${SLIPWAY_FILES}"/a b'],
    ['cp "{files}/a b" c', 'cp "${SLIPWAY_FILES}/a b" c'],
    ['v={version}x', 'v="${SLIPWAY_VERSION}"x'],
    ['echo "$(cat {files}/a "{out}")"', 'echo "$(cat "${SLIPWAY_FILES}"/a "${SLIPWAY_OUT}")"'],
    ['echo `cat {files}/a`', 'echo `cat "${SLIPWAY_FILES}"/a`'],
    ['echo "${X:-{version}}"', 'echo "${X:-${SLIPWAY_VERSION}}"'],
    ['echo ${X:-{version}} {version}', 'echo ${X:-"${SLIPWAY_VERSION}"} "${SLIPWAY_VERSION}"'],
    ['echo ${#X} ${X#{version}} "{branch}"', 'echo ${#X} ${X#"${SLIPWAY_VERSION}"} "${SLIPWAY_BRANCH}"'],
    ['cat <<E\nv {version}\nE\necho {version}', 'cat <<E\nv ${SLIPWAY_VERSION}\nE\necho "${SLIPWAY_VERSION}"'],
    [
      'cat <<-E\n\tv {version}\n\tE\necho {version}',
      'cat <<-E\n\tv ${SLIPWAY_VERSION}\n\tE\necho "${SLIPWAY_VERSION}"',
    ],
    ["# don't {version}\necho {version}", '# don\'t {version}\necho "${SLIPWAY_VERSION}"'],
    ["echo it\\'s {version}", 'echo it\\\'s "${SLIPWAY_VERSION}"'],
    [
      'x=$(case a in a) echo {version} ;; esac) "{branch}"',
      'x=$(case a in a) echo "${SLIPWAY_VERSION}" ;; esac) "${SLIPWAY_BRANCH}"',
    ],
    ['x=$(echo case a) "{branch}"', 'x=$(echo case a) "${SLIPWAY_BRANCH}"'],
    ['sh -e {files}/x.sh {branch}', 'sh -e "${SLIPWAY_FILES}"/x.sh "${SLIPWAY_BRANCH}"'],
    ['sh -c \'echo "$1"\' sh {branch}', 'sh -c \'echo "$1"\' sh "${SLIPWAY_BRANCH}"'],
    ['gcc -c {files}/a.c', 'gcc -c "${SLIPWAY_FILES}"/a.c'],
    ['ssh -i {files}/key host true', 'ssh -i "${SLIPWAY_FILES}"/key host true'],
    ['gcc {opt} {python.version}', 'gcc "${SLIPWAY_AXIS_OPT}" "${SLIPWAY_PYTHON_VERSION}"'],
    ['echo ${version} {{version}} \\{version}', 'echo ${version} {version} \\{version}'],
    ["awk '{{print}}' {files}/a", 'awk \'{print}\' "${SLIPWAY_FILES}"/a'],
  ])('%s', (text, line) => {
    expect(shell(text)).toMatchObject({ line, misplaced: [], unknown: [], open: null });
  });

  test('given a shell line, then its environment has only the variables that it uses', () => {
    expect(shell('echo {version} {files}').vars).toEqual({ SLIPWAY_VERSION: '1.0' });
    expect(shell('python3 -c \'import os; os.environ["SLIPWAY_BRANCH"]\'').vars).toEqual({ SLIPWAY_BRANCH: 'main' });
    expect(shell('make').vars).toEqual({});
  });
});

describe('given a placeholder that cannot be a quoted variable, when a line is made, then it is refused', () => {
  test.each([
    ["echo '{branch}'", 'single'],
    ["cat <<'E'\n{branch}\nE", 'single'],
    ['cat <<\\E\n{branch}\nE', 'single'],
    ['echo $(( {version} + 1 ))', 'arithmetic'],
    ['sh -c "echo {branch}"', 'program'],
    ['sudo bash -euc "echo {branch}"', 'program'],
    ['sh \\\n -c "echo {branch}"', 'program'],
    ['eval echo {branch}', 'program'],
    ['python3 -c "print(\'{branch}\')"', 'program'],
    ['python3 - <<E\nprint("{branch}")\nE', 'program'],
    ['node -e "{branch}"', 'program'],
    ['ssh -p 22 host "deploy {branch}"', 'program'],
    ['if true; then sh -c {branch}; fi', 'program'],
  ])('given %s, then the reason is %s', (text, why) => {
    expect(shell(text).misplaced).toMatchObject([{ word: expect.any(String), why }]);
  });

  test('given an outside value that starts with a dash, then it is refused where a command would read an option', () => {
    const words = { branch: '-rf' };
    expect(shell('rm {branch}', words).misplaced).toMatchObject([{ word: 'branch', why: 'option', value: '-rf' }]);
    expect(shell('rm "{branch}"', words).misplaced).toHaveLength(1);
    expect(shell('rm ./{branch} "x{branch}"', words).misplaced).toEqual([]);
    expect(shell('gcc {opt} x.c').misplaced).toEqual([]);
  });

  test.each([
    ['echo "{version}'],
    ["echo 'a {version}"],
    ['x=$(echo {version}'],
    ['cat <<E\n{version}\n'],
    ['cat <<E {version}'],
  ])('given the unclosed line %s, then it is refused', (text) => expect(shell(text).open).not.toBeNull());
});

/** Places of a placeholder in a line that prints it, so that a shell's own reading can be compared. */
const PLACES = [
  'printf %s {branch}',
  'printf %s "{branch}"',
  'printf %s "$(printf %s {branch})"',
  'printf %s "${NONE:-{branch}}"',
  'x={branch}; printf %s "$x"',
  'case a in a) printf %s {branch} ;; esac',
  'f() { printf %s "$1"; }; f {branch}',
  "true 'it is' # don't\nprintf %s {branch}",
  'tr -d "\\n" <<END\n{branch}\nEND',
];
const SHELLS = [['sh'], ['bash', '--norc']];

describe('given any value, when a shell runs the line, then it prints that value and does nothing else', () => {
  const pieces = [...'a \'"`$(){}\\;&|*~#<>!', 'touch pwned'];
  const hostile = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }).map((some) => some.join(''));
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'slipway-shell-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  test.each(PLACES)('given the line %s, then only the value is printed', (place) => {
    fc.assert(
      fc.property(hostile, fc.constantFrom(...SHELLS), (branch, [name, ...options]) => {
        const { line, vars } = shellText(place, { words: { branch: `a${branch}` }, late: [], axes: {} });
        const env = { PATH: process.env['PATH'], ...vars };
        expect(execFileSync(name!, [...options, '-eu', '-c', line], { cwd: folder, env, encoding: 'utf8' })).toBe(
          `a${branch}`,
        );
        expect(readdirSync(folder)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
