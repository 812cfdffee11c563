/** @slow */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { reproduceStep, type Parts } from '../../../src/activities/reproduce/reproduce-step.js';
import type { ShellSession } from '../../../src/activities/reproduce/ports.js';
import type { Way } from '../../../src/activities/reproduce/open-shell.js';
import { createRunCommand } from '../../../src/activities/steps/run-command.js';
import { createPlans } from '../../../src/activities/step/inputs.js';
import type { Body } from '../../../src/activities/work.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { createShells } from '../../../src/adapters/process/shells.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';
import { canonical } from '../../../src/model/json.js';
import type { KindName } from '../../../src/model/kinds.js';
import type { Params } from '../../../src/model/params.js';
import type { Step, StepOf } from '../../../src/model/plan.js';
import { records } from '../../../src/model/run-folder.js';
import { aPlan, aResult, aStep, newHome, realSurroundings } from '../../support/run-body.js';
import { asBytes } from '../step/a-world.js';

const params = (run: string, env: Record<string, string> = {}): Params['runCommand'] =>
  ({ run, expect: null, outputs: [], env, where: { in: 'host' }, folder: '.' }) as unknown as Params['runCommand'];
const dep = aStep('takeSdist', { project: 'skiff' }, { id: 'sdists/skiff' });
const failing = (run: string, env?: Record<string, string>): StepOf<'runCommand'> =>
  aStep('runCommand', params(run, env), { id: 'steps/smoke', needs: [dep.id] });

/** A run whose step is held: its input stands in the store. */
async function held(step: StepOf<KindName>, own?: Body<KindName>, env: Record<string, string> = {}) {
  const around = realSurroundings(await newHome(), { env: { ...process.env, ...env } });
  const plan = aPlan({ steps: [dep as Step, step as Step] });
  const { digest } = await around.store.put(asBytes(canonical(plan)));
  const bytes = await around.store.put(asBytes('bytes of the wheel'));
  const artifact = { ...bytes, kind: 'wheel', name: 'skiff-1-py3-none-any.whl', labels: {} } as const;
  await around.store.create(records.result('r-1', dep.id), aResult(dep, { artifacts: [artifact] }));
  const told: string[] = [];
  const sessions: ShellSession[] = [];
  const real = createShells({ address: () => '', pullIfMissing: async () => undefined }, around.env);
  const parts: Parts = {
    around,
    planOf: createPlans(around.store, around.signatures),
    shells: { open: (session, line) => (sessions.push(session), real.open(session, line)) },
    bodies: ({ programs }) => ({
      [step.kind]: own ?? createRunCommand({ programs, archives: createArchives(), containers: null }),
    }),
    tell: (line) => void told.push(line),
  };
  const reproduce = (way: Way, withSecrets = false): Promise<number> =>
    reproduceStep({ run: 'r-1', plan: digest, step: step.id, way, withSecrets }, parts);
  return { around, told, sessions, reproduce };
}
const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'no problem',
    (error: SlipwayFailure) => error.first.code,
  );

test("given a command, then it runs with the step's inputs, environment and folder, and its exit status is returned", async () => {
  const { around, told, reproduce } = await held(failing('make -C "$SLIPWAY_OUT" thing', { COLOUR: 'red' }));
  // The line runs in the step's sandbox: nothing that it writes is seen out here.
  const line = [
    'case $PWD in *steps-smoke-*-0*) ;; *) exit 1 ;; esac',
    'case $HOME in *steps-smoke-*-0*) ;; *) exit 2 ;; esac',
    'case $SLIPWAY_OUT in */out) ;; *) exit 3 ;; esac',
    'test "$COLOUR" = red || exit 4',
    'test "$(cat $INPUTS/wheels/*)" = "bytes of the wheel" || exit 5',
    `! ls ${around.home}/store || exit 6`,
    'exit 7',
  ].join('\n');
  expect(await reproduce({ do: 'command', line })).toBe(7);
  expect(told[0]).toContain('steps/smoke would now run');
  expect(told[1]).toBe('  make -C "$SLIPWAY_OUT" thing');
});

test('given a reproduction, then nothing is recorded, and its folder is removed', async () => {
  const { around, reproduce } = await held(failing('make'));
  const before = await around.store.list('runs/');
  await reproduce({ do: 'command', line: 'echo more > left-behind' });
  expect(await around.store.list('runs/')).toEqual(before);
  expect(await readdir(join(around.home, 'work', 'r-1'))).toEqual([]);
});

test("given the step's own line, then it runs as usual, with the step's problem", async () => {
  const { reproduce } = await held(failing('echo smoking; exit 4'));
  expect(await codeOf(reproduce({ do: 'exec' }))).toBe('STEP_COMMAND_FAILED');
  expect(await (await held(failing('true'))).reproduce({ do: 'exec' })).toBe(0);
});

test('given variables with secrets, then they are left out unless requested', async () => {
  const mirror = { PIP_INDEX_URL: 'https://user:verysecretpassword@mirror.example/simple' };
  const { sessions, told, reproduce } = await held(failing('make'), undefined, mirror);
  await reproduce({ do: 'command', line: 'true' });
  expect(sessions[0]!.env).not.toHaveProperty('PIP_INDEX_URL');
  expect(told.join('\n')).toContain('PIP_INDEX_URL');
  await reproduce({ do: 'command', line: 'true' }, true);
  expect(sessions[1]!.env).toMatchObject(mirror);
});

const builds =
  (argv: readonly string[]): Body<KindName> =>
  async (work) => {
    await work.must(['sh', '-c', 'echo ready > made-ready']);
    await work.must(argv);
    return { artifacts: [], note: '' };
  };

test('given a step without a line of its own, then the command runs before its build or at its failure', async () => {
  const step = aStep('buildWheel', {} as Params['buildWheel'], { id: 'wheels/skiff', needs: [dep.id] });
  for (const argv of [['uv', 'build', '--wheel'], ['false']]) {
    const { sessions, reproduce } = await held(step, builds(argv));
    expect(await reproduce({ do: 'command', line: 'test "$(cat made-ready)" = ready' })).toBe(0);
    expect(sessions[0]!.argv).toEqual(argv);
  }
  const { reproduce } = await held(step, builds(['true']));
  expect(await codeOf(reproduce({ do: 'shell' }))).toBe('NEVER_CAME_TO_IT');
});

test('given a step that works on a registry, then it is refused', async () => {
  const step = aStep('publishArtifacts', {} as Params['publishArtifacts'], { id: 'publish/x', needs: [dep.id] });
  const { reproduce } = await held(step);
  expect(await codeOf(reproduce({ do: 'exec' }))).toBe('NOT_REPRODUCIBLE');
});
