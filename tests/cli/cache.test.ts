import { cache } from '../../src/cli/commands/cache.js';
import { cacheStatusLines } from '../../src/cli/screens/cache-status.js';
import { colours } from '../../src/cli/render/paint.js';
import { cacheWheels, type CacheWheel } from '../../src/engine/index/cache-wheels.js';
import { canonical } from '../../src/model/json.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import type { StepStatus } from '../../src/model/messages.js';
import type { Plan } from '../../src/model/plan.js';
import { records } from '../../src/model/run-folder.js';
import type { Row, Rows } from '../../src/model/rows.js';
import { Profile } from '../../src/model/schema/profile.js';
import { planOf, sha256, someFacts } from '../plan/a-plan.js';
import { expectGolden } from '../support/golden.js';
import { aRun, aStep, compileError, START } from './a-run.js';
import { fakeClient, fakeIo, fakePorts, fakeStore } from './fake-ports.js';

const NAMES = ['docopt-0.6.2', 'harbour-0.9', 'oldie-1.2', 'pbr-6.1.0'];
const content = Profile.parse({ rehearsal: true, kinds: { simple: { address: 'service:wheels' } } });
const sdist = (name: string): string => name.replace('-', '==');

const bare = planOf(
  JSON.stringify({
    ...{ slipway: 1, pipeline: { name: 'wheels', label: 'night-1' }, platforms: ['linux-x86_64'], pythons: ['cp311'] },
    sources: Object.fromEntries(NAMES.map((name) => [name, { sdist: sdist(name), sha256: 'a'.repeat(64) }])),
    wheels: Object.fromEntries(
      NAMES.map((name) => [name, { source: name, project: name.split('-')[0], onFailure: 'tell' }]),
    ),
    publish: { cache: { kind: 'simple', files: ['wheels/*'], when: 'built' } },
  }),
  { profile: { ...someFacts().profile, content } },
);

const TARGET = 'linux-x86_64 cp311';
const row = (wheel: string, verdict: string, reason: string, target = TARGET): Row => ({
  ...{ subject: `${wheel} ${target}`, verdict, reason, origin: { file: 'main:constraints.txt', line: 7 } },
  ...(verdict === 'build' && { entry: `wheels/${wheel.replace('==', '-')}` }),
});
const ROWS: readonly Row[] = [
  row('attrs==21.1.0', 'upstream', 'attrs-21.1.0-py2.py3-none-any.whl'),
  row('attrs==21.1.0', 'upstream', 'attrs-21.1.0-py2.py3-none-any.whl', 'other cp313'),
  row('docopt==0.6.2', 'build', 'sdist only'),
  row('harbour==0.9', 'build', '29 wheels, none for cp311; the nearest is cp312-cp312-manylinux_2_17_x86_64'),
  row('oldie==1.2', 'build', 'sdist only'),
  row('pbr==6.1.0', 'build', 'sdist only'),
  row('pip==24.0', 'left out', '`never` names it'),
  row('python-ldap==3.4.4', 'known', 'needs newer headers (until 2027-01-31)'),
  row('python-ldap==3.4.4', 'known', 'needs newer headers (until 2027-01-31)', 'other cp313'),
  row('gone==1.0', 'impossible', 'no index has the project'),
  row('slow==1.0', 'unanswered', 'the index does not answer since 2026-11-22T10:00:00Z: HTTP 503'),
  row('worse==1.0', 'failed before', 'COMMAND_FAILED: gcc ended with exit status 1, tried again from 2026-11-29'),
];
const rows: Rows = {
  slipway: 1,
  rows: { 'wheels/constraints': ROWS, 'tests/night': [row('t.aws', 'taken', 'its id')] },
};
const NOTICES = [
  {
    ...{ level: 'warning' as const, code: 'BRANCH_UNLISTED', subject: 'stable/2026.2' },
    why: 'no row',
    next: 'Add it.',
  },
  {
    ...{ level: 'error' as const, code: 'LIST_PIN_TWICE', subject: 'lxml' },
    why: 'it is pinned twice',
    next: 'Mend it.',
  },
];
const facts = {
  imports: {
    'wheels/constraints': {
      index: {
        attrs: { state: 'absent', askedAt: '2026-11-21T11:56:00.000Z' },
        pbr: { state: 'absent', askedAt: '2026-11-21T07:00:00.000Z' },
        slow: { state: 'unanswered', since: '2026-11-21T07:00:00.000Z' },
      },
    },
  },
};

const of = { id: 'wheels/constraints', from: 'wheel-list', entries: 8, counts: {}, notices: NOTICES };
const plan: Plan = {
  ...bare,
  imports: { facts: sha256(canonical(facts)), rows: sha256(canonical(rows)), of: [of] },
};

const build = (name: string): string => `wheels/${name}/cp311/linux-x86_64`;
const listing = (name: string): string =>
  bare.steps.find((step) => step.kind === 'publishArtifacts' && step.params.of.includes(build(name)))!.id;
const built = (name: string, state: StepStatus['state'], more: Partial<StepStatus> = {}): readonly StepStatus[] => [
  aStep(`source/${name}`, 'fetchSource', 'done'),
  aStep(build(name), 'buildWheel', state, more),
  aStep(listing(name), 'publishArtifacts', state === 'done' ? 'done' : 'waiting'),
];
const status = aRun({
  ...{ workflowId: 'pipeline/wheels/night-1', name: 'wheels', version: 'night-1', pipeline: true, rehearsal: false },
  ...{ plan: sha256(canonical(plan)) },
  steps: [
    ...built('docopt-0.6.2', 'done'),
    ...built('harbour-0.9', 'failed', { problems: [compileError] }),
    ...built('oldie-1.2', 'running'),
    aStep('source/pbr-6.1.0', 'fetchSource', 'done'),
    aStep(build('pbr-6.1.0'), 'buildWheel', 'done'),
    aStep(listing('pbr-6.1.0'), 'publishArtifacts', 'skipped', {
      because: 'it needs prove/target/cache, which failed',
    }),
  ],
});

const LATE = { level: 'warning', code: 'INDEX_STATUS_LATE', subject: 'cache', why: 'no page', next: 'Look.' };

/** A store that has these documents by digest. */
function storeWith(...documents: readonly object[]) {
  const texts = new Map<string, string>(documents.map((one) => [sha256(canonical(one)), canonical(one)]));
  return {
    ...fakeStore({ [records.findingsAfter(status.run)]: [LATE] }),
    has: (digest: string) => Promise.resolve(texts.has(digest)),
    get: (digest: string) => Promise.resolve(piecesOf(texts.get(digest) ?? '')),
  };
}
async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

async function typed(args: Record<string, string>, options: Record<string, string | boolean> = {}, runs?: string) {
  const io = fakeIo();
  const ports = fakePorts({
    ...{ client: fakeClient([[status]]), store: storeWith(plan, rows, facts) },
    ...(runs !== undefined && { runs }),
  });
  return cache.run({ args, options }, io, ports).then(
    (code) => ({ code, text: io.printed.join('\n') }),
    (error: SlipwayFailure) => ({ code: error.first.code, text: `${error.first.message}\n${error.first.next}` }),
  );
}

describe('slipway cache status', () => {
  test('given a run, then targets are counted, and wheels that need a look have a reason and a next command', () => {
    const told = {
      ...{ name: 'wheels', workflowId: status.workflowId, state: 'running', file: 'slipway.yaml', nowMs: START },
      ...{ asked: { projects: 41, newest: '2026-11-21T11:56:00.000Z', oldest: '2026-11-21T07:00:00.000Z' } },
      ...{ wheels: cacheWheels({ plan, rows, status }), notices: NOTICES },
    };
    expectGolden('cli/cache-status.txt', `${cacheStatusLines(told, colours(false)).join('\n')}\n`);
  });

  test('given a reason longer than a screen is wide, then its line is whole', () => {
    const because = `it is pinned twice: ${'x'.repeat(300)}: slipway why oldie==1.2 slipway.yaml`;
    const { step: _, ...known } = cacheWheels({ plan, rows, status }).find(({ state }) => state === 'to build')!;
    const told = {
      ...{ name: 'wheels', workflowId: status.workflowId, state: 'running', file: 'slipway.yaml', nowMs: START },
      ...{ asked: null, wheels: [{ ...known, because }], notices: [] },
    };
    expect(cacheStatusLines(told, colours(false)).find((line) => line.includes('oldie==1.2  '))).toContain(because);
  });

  test('given --json, then every wheel has its state, and times of answers come from the facts', async () => {
    const { code, text } = await typed({ action: 'status' }, { json: true });
    const { asked, wheels } = JSON.parse(text) as { asked: object; wheels: readonly CacheWheel[] };
    expect(code).toBe(0);
    expect(asked).toEqual({ projects: 2, newest: '2026-11-21T11:56:00.000Z', oldest: '2026-11-21T07:00:00.000Z' });
    const told = wheels.map(({ wheel, target, state }) => `${wheel} ${target}: ${state}`);
    expect(told).toHaveLength(ROWS.length);
    expect(told).toEqual(
      expect.arrayContaining([
        `docopt==0.6.2 ${TARGET}: here`,
        `harbour==0.9 ${TARGET}: failed`,
        `oldie==1.2 ${TARGET}: to build`,
        `pbr==6.1.0 ${TARGET}: failed`,
        `worse==1.0 ${TARGET}: failed`,
      ]),
    );
  });

  test('given an index that drew no status, then the finding follows those of planning', async () => {
    const { text } = await typed({ action: 'status' }, { json: true });
    expect((JSON.parse(text) as { notices: object }).notices).toEqual([...NOTICES, LATE]);
    expect((await typed({ action: 'status' })).text).toContain('warning INDEX_STATUS_LATE cache: no page');
  });

  test.each([
    ['a file that never ran', { action: 'status' }, 'pipeline/others', 'CACHE_NEVER_RUN'],
    ['an unknown action', { action: 'sweep' }, undefined, 'CACHE_ACTION_UNKNOWN'],
  ])('given %s, then a coded problem names what to type', async (_, args, runs, code) => {
    const answer = await typed(args, {}, runs);
    expect(answer.code).toBe(code);
    expect(answer.text).toMatch(/`slipway (run|cache)/);
  });
});
