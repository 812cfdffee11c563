import { why } from '../../src/cli/commands/why.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import type { Row } from '../../src/model/rows.js';

import { HEAD, planOf } from '../plan/a-plan.js';
import { fakeIo, fakePorts } from './fake-ports.js';

const plan = planOf(`${HEAD}wheels: { skiff: {} }
tests: { sail: { needs: [wheels/skiff], in: venv, run: echo 1, expect: '1' } }
`);
const row = (subject: string, verdict: string, reason: string, entry?: string): Row => ({
  ...{ subject, verdict, reason, origin: { file: 'tests.yaml', line: 7 } },
  ...(entry !== undefined && { entry }),
});
const rows = {
  slipway: 1 as const,
  rows: {
    'tests/night': [
      row('sail', 'taken', 'it is tests/sail', 'tests/sail'),
      row('sail.big', 'left out', 'its frequency is weekly, and nightly is wanted', 'tests/sail.big'),
    ],
    'wheels/all': [
      row('lxml==5.3.0 debian-12 cp311', 'build', 'sdist only'),
      row('lxml==5.3.0 debian-13 cp313', 'upstream', 'a wheel fits'),
    ],
  },
};

async function answer(subject: string, options: Record<string, string | boolean> = {}): Promise<string> {
  const io = fakeIo();
  const ports = fakePorts({ plan: { plan, digest: `sha256:${'0'.repeat(64)}` }, rows });
  const input = { args: { subject, file: 'slipway.yaml' }, options: { profile: 'local', ...options } };
  return why.run(input, io, ports).then(
    () => io.printed.join('\n'),
    (error: SlipwayFailure) => error.first.code,
  );
}

test.each([
  [
    'a planned step',
    'wheels/skiff/cp311/linux-x86_64',
    'wheels/skiff/cp311/linux-x86_64 is planned: building wheel on linux-x86_64; it needs source/skiff',
  ],
  ['a part of a step', 'tests/sail/cp311', /^tests\/sail\/cp311\/linux-x86_64 is planned: testing on/],
  [
    'a test that is left out',
    'sail.big',
    'sail.big: left out: its frequency is weekly, and nightly is wanted (tests.yaml:7)',
  ],
  ['a test that is taken', 'sail', 'sail: taken: it is tests/sail (tests.yaml:7)'],
  [
    'a project',
    'lxml',
    'lxml==5.3.0 debian-12 cp311: build: sdist only (tests.yaml:7)\nlxml==5.3.0 debian-13 cp313: upstream: a wheel fits (tests.yaml:7)',
  ],
  ['a part of a row', 'debian-13', 'lxml==5.3.0 debian-13 cp313: upstream: a wheel fits (tests.yaml:7)'],
])(
  'given a file and no run, when why is asked about %s, then it is answered from the plan',
  async (_, subject, said) => {
    const told = (await answer(subject)).trim();
    if (typeof said === 'string') expect(told).toBe(said);
    else expect(told).toMatch(said);
  },
);

test('given a file, when --json is asked for, then rows are data', async () => {
  expect(JSON.parse(await answer('sail.big', { json: true }))).toEqual({ rows: [rows.rows['tests/night'][1]] });
});

test.each([
  ['an unknown subject', 'nobody', {}, 'NO_SUCH_STEP'],
  ['a file and a run', 'sail', { run: 'abc' }, 'WHY_RUN_AND_FILE'],
])('given %s, then it is refused with %s', async (_, subject, options, code) => {
  expect(await answer(subject, options as Record<string, string>)).toBe(code);
});
