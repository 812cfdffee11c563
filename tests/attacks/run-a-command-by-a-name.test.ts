/** @slow */
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBodies } from '../../src/activities/kind-bodies.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { plan } from '../../src/adapters/facts/index.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import type { StepOf } from '../../src/model/plan.js';
import { planOf, problemsOf, stepOf } from '../plan/a-plan.js';
import { newHome, runBody } from '../support/run-body.js';
import { aCheckout } from './a-checkout.js';

const release = (run: string): string => `slipway: 1
release: { name: skiff, version: '1.0' }
source: { git: . }
platforms: [linux-x86_64]
pythons: [cp311]
steps:
  names: { run: ${JSON.stringify(run)}, env: { OTHER: '{branch}' } }
`;

/** Runs a planned step with real programs, in a home of its own. */
async function carriedOut(step: StepOf<'runCommand'>, home: string) {
  const programs = createPrograms({ running: join(home, 'running'), graceMs: 500 });
  const { runCommand } = makeBodies(['runCommand'], { programs, archives: createArchives(), containers: null });
  return runBody(runCommand, step, { home });
}

const planned = async (root: string): Promise<StepOf<'runCommand'>> => {
  const made = await plan(join(root, 'slipway.yaml'), 'local');
  return made.steps.find(({ id }) => id === 'steps/names') as StepOf<'runCommand'>;
};

describe('[H4] a branch name runs a command', () => {
  test.each([
    ['a substitution', (mark: string) => `x$(touch\${IFS}${mark})`],
    ['backticks', (mark: string) => `x\`touch\${IFS}${mark}\``],
    ['the end of the line and another command', (mark: string) => `x;touch\${IFS}${mark};`],
    ['quotes that end ours', (mark: string) => `x"';touch\${IFS}${mark};'"`],
  ])('given a branch with %s, when the line runs, then it prints the name', async (_, nameOf) => {
    const mark = join(await newHome(), 'pwned');
    const root = await aCheckout(
      { 'slipway.yaml': release('echo on {branch} "is {branch}"; cat <<E\n{branch}\nE') },
      nameOf(mark),
    );
    const ran = await carriedOut(await planned(root), await newHome()).catch(String);
    expect(existsSync(mark)).toBe(false);
    const branch = nameOf(mark);
    expect(ran).toMatchObject({ log: `on ${branch} is ${branch}\n${branch}\n` });
  });

  test.each([
    ['in single quotes', "echo '{branch}'", 'PLACEHOLDER_IN_QUOTES'],
    ['in the text of another shell', 'sh -c "echo {branch}"', 'PLACEHOLDER_IN_PROGRAM'],
    ['in the text of Python', 'python3 -c "print(\\"{branch}\\")"', 'PLACEHOLDER_IN_PROGRAM'],
    ['in a line that quotes nothing right', 'echo "{branch}', 'SHELL_LINE_OPEN'],
  ])('given a placeholder %s, when the release is planned, then it is refused with its line', async (_, run, code) => {
    const root = await aCheckout({ 'slipway.yaml': release(run) }, 'x$(touch${IFS}pwned)');
    await expect(plan(join(root, 'slipway.yaml'), 'local')).rejects.toMatchObject({
      problems: [{ code, place: { line: 7 } }],
    });
  });

  test('given a branch that begins with a dash, when a command would read it as an option, then it is refused', () => {
    const facts = { git: { commit: 'c'.repeat(40), branch: '-rf', epoch: 1, files: {} } };
    expect(problemsOf(release('rm {branch}'), facts)).toMatchObject([{ code: 'PLACEHOLDER_IS_OPTION' }]);
    expect(stepOf(planOf(release('rm ./{branch}'), facts), 'steps/names').params).toMatchObject({
      run: 'rm ./"${SLIPWAY_BRANCH}"',
    });
  });
});

describe('[H2] a home with a blank in its path makes a line delete other files', () => {
  test('given `rm -rf {out}/old`, when it runs there, then only its own folder changes', async () => {
    const folder = realpathSync(await newHome());
    const home = join(folder, 'my home');
    mkdirSync(home);
    // Unquoted, `rm -rf …/my home/…/old` names this file first.
    writeFileSync(join(folder, 'my'), 'of somebody else');
    const root = await aCheckout({
      'slipway.yaml': release('rm -rf {out}/old; ls {files} {out}; echo done > {out}/new'),
    });
    const ran = await carriedOut(await planned(root), home).catch(String);
    expect(existsSync(join(folder, 'my'))).toBe(true);
    expect(ran).toMatchObject({ made: { facts: { exitCode: 0 } } });
  });
});
