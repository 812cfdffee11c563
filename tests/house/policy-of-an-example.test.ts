/** @slow */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../support/pages.js';

const POLICY = 'policy: 1\nbranches: [main] # why\nrepository: . # here\npublish: []\n';
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'slipway-policy-'));
  write('examples/ray/slipway.yaml', "slipway: 1\nrelease: { name: ray, version: '1' }\n");
  write('examples/ray/policy.yaml', POLICY);
  write('examples/jep/slipway.yaml', "slipway: 1\nrelease: { name: jep, version: '1' }\n");
  mkdirSync(join(root, '.slipway'));
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'one');
});
afterEach(() => rmSync(root, { recursive: true }));

const git = (...argv: readonly string[]): void =>
  void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...argv], { cwd: root });
function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const laid = (): string | null =>
  existsSync(join(root, '.slipway/policy.yaml')) ? readFileSync(join(root, '.slipway/policy.yaml'), 'utf8') : null;

/** The copy without its last line, a digest of the others. */
const copied = (): string => laid()!.replace(/# sha256 [0-9a-f]{64}\n$/, '');

/** Returns the code of the refusal, or an empty text. */
function lay(releaseFile: string, runs: readonly string[] = [], env: Readonly<Record<string, string>> = {}): string {
  const module = pathToFileURL(join(ROOT, 'tools/start/policy.mjs')).href;
  const options = `{ env: ${JSON.stringify(env)}, openRuns: () => ${JSON.stringify(runs)} }`;
  const call = `layPolicy(${JSON.stringify(root)}, ${JSON.stringify(releaseFile)}, ${options})`;
  const script = `import(${JSON.stringify(module)}).then(({ layPolicy }) => ${call}).catch((error) => console.log(error.code));`;
  return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout.trim();
}
const RAY = 'examples/ray/slipway.yaml';
const JEP = 'examples/jep/slipway.yaml';

test('given an example with a policy, then the home has it with the checkout as its repository, for its owner alone', () => {
  git('checkout', '-q', '--detach');
  expect(lay(RAY)).toBe('');
  expect(copied()).toBe(
    `# Copied by npm start from ray\npolicy: 1\nbranches: [main] # why\nrepository: ${JSON.stringify(root)} # here\npublish: []\n`,
  );
  expect(statSync(join(root, '.slipway/policy.yaml')).mode & 0o777).toBe(0o600);
});

test('given an example without a policy, then the copy of another one goes', () => {
  lay(RAY);
  expect(lay(JEP)).toBe('');
  expect(laid()).toBeNull();
});

test.each([
  ['a copy for another example', JEP, 'release/ray/1'],
  ['no policy for an example with one', RAY, 'rehearsal/jep/1'],
])('given %s, when a run of the other release is open, then nothing changes', (_, releaseFile, run) => {
  if (releaseFile === JEP) lay(RAY);
  const before = laid();
  expect(lay(releaseFile, [run])).toBe('POLICY_IN_USE');
  expect(laid()).toBe(before);
});

test('given a policy that changed, when a run of the same release is open, then it is not copied', () => {
  lay(RAY);
  write('examples/ray/policy.yaml', `${POLICY}isolation: container\n`);
  expect(lay(RAY, ['rehearsal/ray/1'])).toBe('POLICY_IN_USE');
  expect(laid()).not.toContain('isolation');
  expect(lay(RAY)).toBe('');
  expect(laid()).toContain('isolation: container');
});

test('given another example of the same name, when a run is open, then its policy takes no place', () => {
  lay(RAY);
  write('examples/ray-whole/slipway.yaml', "slipway: 1\nrelease: { name: ray, version: '1' }\n");
  expect(lay('examples/ray-whole/slipway.yaml', ['release/ray/1'])).toBe('POLICY_IN_USE');
});

test('given the same policy, then open runs are no matter', () => {
  lay(RAY);
  expect(lay(RAY, ['rehearsal/jep/1'])).toBe('');
});

test('given a policy that a person wrote, then it stays', () => {
  write('.slipway/policy.yaml', 'policy: 1\n');
  expect([lay(RAY), lay(JEP)]).toEqual(['', '']);
  expect(laid()).toBe('policy: 1\n');
});

test('given a copy that a person edited, then it stays', () => {
  lay(RAY);
  const edited = laid()!.replace('publish: []', 'publish: [] # none');
  write('.slipway/policy.yaml', edited);
  expect([lay(RAY), lay(JEP)]).toEqual(['', '']);
  expect(laid()).toBe(edited);
});

test('given SLIPWAY_POLICY, then nothing is copied', () => {
  expect(lay(RAY, [], { SLIPWAY_POLICY: '/etc/policy.yaml' })).toBe('');
  expect(laid()).toBeNull();
});

test('given a project outside of the examples, then its policy is not copied', () => {
  write('project/slipway.yaml', "slipway: 1\nrelease: { name: own, version: '1' }\n");
  write('project/policy.yaml', POLICY);
  expect(lay('project/slipway.yaml')).toBe('');
  expect(laid()).toBeNull();
});

test('given a checkout without the branch, then the copy names none, and says so', () => {
  git('branch', '-q', '-m', 'topic');
  expect(lay(RAY)).toBe('');
  expect(copied()).toBe(
    '# Copied by npm start from ray, without its branch: this checkout has no branch main\npolicy: 1\npublish: []\n',
  );
});

test.each([
  ['service:index', false],
  ['https://index.example/', true],
  ['"service:index"', true],
])('given a checkout without the branch and the address %s, then it is %j that the rule stays', (address, stays) => {
  git('branch', '-q', '-m', 'topic');
  write('examples/ray/policy.yaml', POLICY.replace('[]', `[{ kind: python, address: ${address} }]`));
  expect(lay(RAY)).toBe('');
  expect(laid()!.includes('\nbranches: [main]')).toBe(stays);
});
