import { approve, reject } from '../../src/cli/commands/approve.js';
import { status as statusCommand } from '../../src/cli/commands/status.js';
import { run } from '../../src/cli/commands/run.js';
import type { Input } from '../../src/cli/command.js';
import type { Manifest } from '../../src/engine/ledger/manifest.js';
import { gateStatus } from '../../src/engine/gates/gate-rules.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import type { GateRules } from '../../src/model/gate.js';
import type { RunStatus } from '../../src/model/messages.js';
import type { Plan } from '../../src/model/plan.js';
import { aGate, aRule, anApproval, OTHER, SEALED } from '../engine/a-gate.js';
import { inTheMiddle, rehearsed } from './a-run.js';
import { fakeClient, fakeIo, fakePorts, fakeStore } from './fake-ports.js';

const input = (args: Record<string, string> = {}, options: Input['options'] = {}): Input => ({ args, options });
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: SlipwayFailure) => error.first.code,
  );

const MINE = 'ssh-ed25519 AAAAmine kim@host';
const INDEX = {
  name: 'index',
  kind: 'python',
  address: 'service:index',
  repository: null,
  username: null,
  password: null,
};
const TARGETS = [{ name: 'index', kind: 'python', address: 'http://127.0.0.1:4100/skiff/', repository: null }] as const;
const NONCE = '5eed'.repeat(8);
const PUBLISH = { kind: 'publishArtifacts', stage: 'publish', needs: [], wants: [], after: [] };
const IMAGE = `sha256:${'1a'.repeat(32)}`;
const PLAN = {
  release: { name: 'skiff', version: '1.2.0' },
  source: { kind: 'git', commit: 'c'.repeat(40), branch: 'main' },
  profile: { name: 'live', rehearsal: false },
  bundle: [{ path: 'keys/kim.pub', digest: `sha256:${'01'.repeat(32)}`, size: 1, executable: false }],
  steps: [
    {
      ...{ ...PUBLISH, id: 'publish/index/wheels.skiff' },
      params: { target: INDEX, of: ['wheels/skiff'], tags: [] },
    },
    {
      ...{ ...PUBLISH, id: 'publish/hub/images.skiff' },
      params: {
        target: { ...INDEX, name: 'hub', kind: 'oci', address: 'hub.example', repository: 'a/skiff' },
        of: ['images/skiff'],
        tags: ['1.2.0', '1.2'],
      },
    },
  ],
  effects: [{ target: 'index' }],
  dropped: [],
} as unknown as Plan;
const MANIFEST = {
  artifacts: [
    { kind: 'image', name: 'skiff', digest: IMAGE, size: 3_000_000, labels: {}, notes: [], step: 'images/skiff' },
    { kind: 'jar', name: 'skiff-1.2.0.jar', digest: OTHER, size: 1, labels: {}, notes: [], step: 'jars/skiff' },
    { kind: 'wheel', name: 'skiff-1.2.0.whl', digest: SEALED, size: 2048, labels: {}, notes: [], step: 'wheels/skiff' },
  ],
  evidence: [],
  source: { kind: 'git', commit: 'c'.repeat(40) },
  notRun: [{ step: 'wheels/skiff', names: ['skiff-1.2.0-macos.whl'], because: 'no test is for macos' }],
  dropped: [{ id: 'tests/gpu', because: 'nobody serves gpu' }],
  skipped: [],
  findings: [{ level: 'note', code: 'FLOOR', subject: 'skiff', why: 'glibc 2.34', step: 'x' }],
} as unknown as Manifest;

/** A run at its gate, and whoever stands there with these keys. */
function atGate(rules: Partial<GateRules> = {}, agent: readonly string[] = [MINE]) {
  const gate = gateStatus(
    aRule(rules),
    aGate({ approvals: [anApproval('lee', Number.MAX_SAFE_INTEGER)], nonce: NONCE, targets: TARGETS }),
    5000,
  );
  const step = { id: 'gates/ship', kind: 'passGate', stage: 'gates', state: 'at gate', attempt: 0 } as const;
  const shut = { ...step, because: '1 of 2 approvals (lee)', gate };
  const status: RunStatus = { ...inTheMiddle(), state: 'at gate', steps: [...inTheMiddle().steps, shut] };
  const client = fakeClient([[status]]);
  const texts: Record<string, string> = { [SEALED]: JSON.stringify(MANIFEST), [status.plan!]: JSON.stringify(PLAN) };
  const signed: [string, object][] = [];
  const store = {
    ...fakeStore(),
    has: () => Promise.resolve(true),
    get: (digest: string) =>
      Promise.resolve(
        (async function* () {
          yield new TextEncoder().encode(texts[digest] ?? MINE);
        })(),
      ),
  };
  const ssh = {
    agentKeys: () => Promise.resolve(agent),
    sign: (text: string, key: object) => Promise.resolve((signed.push([text, key]), 'SIGNATURE')),
  };
  return {
    client,
    status,
    signed,
    io: fakeIo(),
    ports: { ...fakePorts({ client, store, ssh }), env: { USER: 'kim' } },
  };
}

test('given a gate, when it is approved, then the command shows the manifest, signs with the agent and sends the approval', async () => {
  const { client, status, signed, io, ports } = atGate({ quorum: 2 });
  expect(await approve.run(input({ gate: 'ship' }), io, ports)).toBe(0);
  const shown = io.chatter.join('\n');
  for (const part of ['skiff 1.2.0', 'profile live', SEALED, 'no test is for macos']) expect(shown).toContain(part);
  for (const part of ['tests/gpu: nobody serves gpu', 'FLOOR', '1 of 2 approvals']) expect(shown).toContain(part);
  const { action } = client.sent[0]!;
  expect(action).toMatchObject({
    action: 'approve',
    gate: 'ship',
    manifest: SEALED,
    by: 'kim',
    signature: 'SIGNATURE',
  });
  expect(signed.map(([, key]) => key)).toEqual([{ line: MINE }]);
  expect(JSON.parse(signed[0]![0])).toEqual({
    slipway: 3,
    decision: 'approve',
    gate: 'ship',
    manifest: SEALED,
    workflow: status.workflowId,
    run: status.run,
    plan: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    profile: 'live',
    nonce: NONCE,
    targets: TARGETS,
    by: 'kim',
    expires: (action as { expires?: string }).expires,
    reason: null,
  });
});

test('[M4] given --show, then each target is listed with its files, its address and what is left out', async () => {
  const { io, ports } = atGate();
  await approve.run(input({ gate: 'ship' }, { show: true }), io, ports);
  const shown = io.printed.join('\n');
  expect(shown).toContain(
    [
      'index (python http://127.0.0.1:4100/skiff/) gets 1 file, 2.0 KiB:',
      `  skiff-1.2.0.whl  ${SEALED}  2.0 KiB`,
      'hub (oci hub.example a/skiff) gets 1 file, 2.9 MiB:',
      `  skiff:1.2.0, 1.2  ${IMAGE}  2.9 MiB`,
      'Sealed, and published nowhere:',
      `  skiff-1.2.0.jar  ${OTHER}  (jars/skiff)`,
    ].join('\n'),
  );
});

test('[M4] given a skipped publish step, then its target is shown without those files, with the reason', async () => {
  const { io, ports, status } = atGate();
  const left = { id: 'publish/index/wheels.skiff', stage: 'publish', state: 'skipped', because: 'not today' } as const;
  const client = fakeClient([
    [{ ...status, steps: [...status.steps, { ...left, kind: 'publishArtifacts', attempt: 0 }] }],
  ]);
  await approve.run(input({ gate: 'ship' }, { show: true }), io, { ...ports, client: async () => client });
  const shown = io.printed.join('\n');
  expect(shown).toContain('index (python http://127.0.0.1:4100/skiff/) gets 0 files, 0 B:');
  expect(shown).toContain(`  skiff-1.2.0.whl  ${SEALED}  (wheels/skiff)`);
  expect(shown).toContain('Left out: publish/index/wheels.skiff: not today');
});

test.each([
  ['--key', {}, ['other'], { key: '/k' }, { path: '/k' }],
  [
    'an agent without a listed key at a gate with optional signatures',
    { signed: 'optional' as const },
    [],
    {},
    undefined,
  ],
  ['--unsigned', {}, [MINE], { unsigned: true }, undefined],
])('given %s, then the approval is signed accordingly', async (_, rules, agent, options, key) => {
  const { client, signed, io, ports } = atGate(rules, agent);
  expect(await approve.run(input({ gate: 'gates/ship' }, options), io, ports)).toBe(0);
  expect(signed[0]?.[1]).toEqual(key);
  expect('signature' in client.sent[0]!.action).toBe(key !== undefined);
});

test('given --show, then nothing is sent; given --manifest, then it is the approved digest; reject sends a reason', async () => {
  const { client, io, ports } = atGate();
  await approve.run(input({ gate: 'ship' }, { show: true }), io, ports);
  expect(client.sent).toEqual([]);
  await approve.run(input({ gate: 'ship' }, { manifest: OTHER }), io, ports);
  await reject.run(input({ gate: 'ship' }, { reason: 'typo' }), io, ports);
  expect(client.sent.map(({ action }) => action)).toMatchObject([
    { action: 'approve', manifest: OTHER },
    { action: 'reject', reason: 'typo', manifest: SEALED, signature: 'SIGNATURE' },
  ]);
});

test.each([
  ['an unknown gate', approve, 'shop', {}, [MINE], 'GATE_UNKNOWN'],
  ['no listed key', approve, 'ship', {}, [], 'NO_SIGNING_KEY'],
  ['a rejection without a reason', reject, 'ship', {}, [MINE], 'REASON_MISSING'],
])('given %s, then it is refused and nothing is sent', async (_, command, gate, options, agent, code) => {
  const { client, io, ports } = atGate({}, agent);
  expect(await codeOf(command.run(input({ gate }, options), io, ports))).toBe(code);
  expect(client.sent).toEqual([]);
});

test('given a gate that waits, then status shows its approvals, its approvers and what to type', async () => {
  const { io, ports } = atGate({ quorum: 2 });
  await statusCommand.run(input(), io, ports);
  const told = io.printed.join('\n');
  for (const part of ['at gate', '1 of 2 approvals (lee)', SEALED, 'core: keys/kim.pub', 'slipway approve ship'])
    expect(told).toContain(part);
});

test('given a run that waits for approvals, then `run` exits with 4; given a soak time, then it watches on', async () => {
  const { client, status, io, ports } = atGate({ quorum: 2 });
  const started: object[] = [];
  const watching = {
    ...client,
    start: (...[given]: Parameters<typeof client.start>) => (started.push(given), client.start(given)),
  };
  const plan = { plan: PLAN, digest: status.plan! };
  const all = { ...ports, submit: () => Promise.resolve(plan), client: () => Promise.resolve(watching) };
  const found = { ...PLAN, profile: { name: 'local', rehearsal: true } } as Plan;
  const rehearsal = { ...all, submit: () => Promise.resolve({ ...plan, plan: found }) };
  expect(await run.run(input({}, { wait: true, stopAtGates: true, priority: '1' }), io, rehearsal)).toBe(4);
  expect(started).toMatchObject([{ by: 'kim', stopAtGates: true, priority: 1 }]);
  expect(io.printed.join('\n')).toContain('slipway approve ship');
  const soaking = fakeClient([[{ ...status, steps: status.steps.map(({ gate: _, ...step }) => step) }, rehearsed()]]);
  expect(await run.run(input({}, { wait: true }), fakeIo(), { ...rehearsal, client: async () => soaking })).toBe(0);
});

test.each([
  ['1', 3, /keeps priority 3, not 1: `slipway run --supersede --priority 1`/],
  ['3', 3, null],
  [undefined, 1, null],
] as const)(
  'given --priority %s and an open run of priority %i, then a priority without effect is reported',
  async (said, kept, told) => {
    const { client, status, io, ports } = atGate({});
    const plan = { plan: { ...PLAN, profile: { name: 'local', rehearsal: true } } as Plan, digest: status.plan! };
    const start: typeof client.start = async (given) => ({
      ...(await client.start(given)),
      ...({ existing: true, priority: kept } as const),
    });
    const open = { ...ports, submit: async () => plan, client: async () => ({ ...client, start }) };
    const options = { wait: false, ...(said !== undefined && { priority: said }) };
    expect(await run.run(input({}, options), io, open)).toBe(0);
    const notes = io.chatter.filter((line) => line.startsWith('note: this run is open'));
    expect(notes).toEqual(told === null ? [] : [expect.stringMatching(told)]);
  },
);
