import { artifacts } from '../../src/cli/commands/artifacts.js';
import { cancel } from '../../src/cli/commands/cancel.js';
import { run } from '../../src/cli/commands/run.js';
import { status } from '../../src/cli/commands/status.js';
import { watch } from '../../src/cli/commands/watch.js';
import type { Ports } from '../../src/cli/ports.js';
import { fail, type SlipwayFailure } from '../../src/model/failure.js';
import type { RunStatus } from '../../src/model/messages.js';
import type { Plan } from '../../src/model/plan.js';
import { records } from '../../src/model/run-folder.js';
import { aReport, aRun, aStep, compileError, inTheMiddle, rehearsed } from './a-run.js';
import { fakeClient, fakeIo, fakePorts, fakeStore } from './fake-ports.js';

const plan = {
  digest: `sha256:${'ab'.repeat(32)}`,
  plan: { release: { name: 'skiff', version: '1.2.0' }, profile: { name: 'local', rehearsal: true } } as Plan,
} as const;
const ended = (verdict: 'failed' | 'cancelled'): RunStatus => ({ ...rehearsed(), verdict: { verdict, reasons: [] } });
const codeOf = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: SlipwayFailure) => error.first.code,
  );
const input = (args: Record<string, string> = {}, options: Record<string, string | boolean> = {}) => ({
  args,
  options,
});

describe('run', () => {
  test.each([
    ['rehearsed', rehearsed(), 0],
    ['failed', ended('failed'), 1],
    ['cancelled', ended('cancelled'), 3],
  ])('given a %s run, then the exit code is as expected', async (_, last, code) => {
    const ports = fakePorts({ client: fakeClient([[inTheMiddle(), last]]), plan });
    expect(await run.run(input({}, { wait: true, profile: 'local' }), fakeIo(), ports)).toBe(code);
  });

  test('given no terminal, then it returns at once and prints how to watch the run', async () => {
    const io = fakeIo();
    expect(await run.run(input(), io, fakePorts({ client: fakeClient([[inTheMiddle()]]), plan }))).toBe(0);
    expect(io.chatter.at(-1)).toContain('slipway watch rehearsal/skiff/1.2.0');
  });

  test('given uncommitted files, then it names at most five', async () => {
    const io = fakeIo();
    const uncommitted = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await run.run(input(), io, fakePorts({ client: fakeClient([[rehearsed()]]), plan, uncommitted }));
    expect(io.chatter).toContain('note: the source is taken as committed; not committed: a, b, c, d, e and 2 more');
  });

  test('given uncommitted files and a plan that fails, then it names them too: the mended file may be one of them', async () => {
    const io = fakeIo();
    const failing = () => Promise.reject(fail({ code: 'CONFIG_TYPE', class: 'config', message: 'a', next: 'b' }));
    const ports = fakePorts({ client: fakeClient([[rehearsed()]]), plan, uncommitted: ['config.yaml'] });
    expect(await codeOf(run.run(input(), io, { ...ports, submit: failing }))).toBe('CONFIG_TYPE');
    expect(io.chatter).toEqual(['note: the source is taken as committed; not committed: config.yaml']);
  });

  test('given no server, then it says what to type', async () => {
    expect(await codeOf(run.run(input(), fakeIo(), fakePorts({ plan })))).toBe('SERVICES_DOWN');
  });

  test('given --json, then it prints each change and the end as one object each', async () => {
    const io = fakeIo();
    const store = fakeStore({ [records.report(aRun().run)]: aReport() });
    await run.run(
      input({}, { wait: true, json: true }),
      io,
      fakePorts({ client: fakeClient([[inTheMiddle(), rehearsed()]]), plan, store }),
    );
    const last = JSON.parse(io.printed.at(-1)!) as { status: RunStatus; report: unknown };
    expect(last.status.verdict?.verdict).toBe('rehearsed');
    expect(last.report).toEqual(aReport());
    for (const line of io.printed) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });
});

describe('watch', () => {
  test('when the user leaves a run, then it prints how to return, and does not claim a release', async () => {
    const io = fakeIo();
    expect(await watch.run(input(), io, fakePorts({ client: fakeClient([[inTheMiddle()]]) }))).toBe(1);
    expect(io.chatter.join()).toContain(`slipway cancel --run ${inTheMiddle().workflowId}`);
  });

  test('given a terminal, then the tree is redrawn in place', async () => {
    const io = fakeIo(true);
    await watch.run(input(), io, fakePorts({ client: fakeClient([[inTheMiddle(), rehearsed()]]) }));
    expect(io.printed[0]).toContain('\u001b[?25l');
    expect(io.printed.join('')).toContain('\u001b[?25h');
  });
});

describe('status', () => {
  test('given an open run, then it prints the tree, the first error and the last lines', async () => {
    const io = fakeIo();
    expect(await status.run(input(), io, fakePorts({ client: fakeClient([[inTheMiddle()]]) }))).toBe(0);
    expect(io.printed.join('\n')).toContain('| src/skiff.c:12:3: error');
  });

  test('given a run started with a file, then problems have places in that file, whatever the current folder', async () => {
    const io = fakeIo();
    const client = fakeClient([[inTheMiddle()]]);
    const store = fakeStore({ [records.file(inTheMiddle().run)]: { file: '/somewhere/sub/slipway.yaml' } });
    const locate: Ports['locate'] = async (file) => () => ({ file, line: 7, column: 3 });
    await status.run(input(), io, { ...fakePorts({ client, store }), locate });
    expect(io.printed.join('\n')).toContain('sub/slipway.yaml:7:3 ');
    expect(io.printed.join('\n')).not.toContain('/somewhere');
  });

  test('given a problem at a target, then it has its place in the release file', async () => {
    const io = fakeIo();
    const failed = aStep('verify/index/cp312', 'verifyTarget', 'held', { problems: [compileError] });
    const conflict = { ...compileError, code: 'OTHER_BYTES', class: 'conflict' as const, path: 'release.version' };
    const refused = aStep('publish/index/all', 'publishArtifacts', 'held', { problems: [conflict] });
    const client = fakeClient([[{ ...inTheMiddle(), steps: [failed, refused] }]]);
    const store = fakeStore({ [records.file(inTheMiddle().run)]: { file: '/somewhere/sub/slipway.yaml' } });
    const lines: Readonly<Record<string, number>> = { 'publish.index': 9, 'release.version': 2 };
    const locate: Ports['locate'] = async (file) => (path) => (path in lines ? { file, line: lines[path]! } : null);
    await status.run(input(), io, { ...fakePorts({ client, store }), locate });
    expect(io.printed.join('\n')).toContain('sub/slipway.yaml:9 COMMAND_FAILED');
    expect(io.printed.join('\n')).toContain('sub/slipway.yaml:2 OTHER_BYTES');
  });

  test('given a run that the server no longer has, then its status comes from the store', async () => {
    const io = fakeIo();
    const store = fakeStore({
      [records.status(rehearsed().run)]: rehearsed(),
      [records.report(rehearsed().run)]: aReport(),
    });
    expect(await status.run(input({ run: '0195e7aa' }), io, fakePorts({ store }))).toBe(0);
    expect(io.printed.join('\n')).toContain('Published to index');
  });

  const newer = { run: 'r-2', workflowId: rehearsed().workflowId, plan: null, at: '2026-11-29T00:00:00Z' };
  const ofBoth = () => fakeStore({ [records.status(rehearsed().run)]: rehearsed(), [records.started('r-2')]: newer });

  test('given services that are down and a newer open run of the asked name, then no earlier run is shown for it', async () => {
    const error = await status.run(input({ run: 'skiff' }), fakeIo(), fakePorts({ store: ofBoth() })).catch((e) => e);
    expect((error as SlipwayFailure).problems.map(({ code }) => code)).toEqual(['SERVICES_DOWN']);
  });

  test('given a server that does not tell the found run, then no earlier run is shown for it', async () => {
    const client = {
      ...fakeClient([[{ ...inTheMiddle(), run: 'r-2' }]]),
      status: () => Promise.reject(fail({ code: 'SERVER_SILENT', class: 'infra', message: 'a', next: 'b' })),
    };
    const ports = fakePorts({ client, store: ofBoth() });
    expect(await codeOf(status.run(input({ run: 'skiff' }), fakeIo(), ports))).toBe('SERVER_SILENT');
    expect(await codeOf(status.run(input(), fakeIo(), ports))).toBe('SERVER_SILENT');
  });

  test('given services that are down, then it says so and what to type before it looks for an ended run', async () => {
    const io = fakeIo();
    let told: readonly string[] = [];
    const store = async () => ((told = [...io.chatter]), fakeStore({ [records.status(rehearsed().run)]: rehearsed() }));
    await status.run(input(), io, { ...fakePorts(), store });
    expect(told).toEqual([expect.stringContaining('the services are down; type `slipway up`')]);
  });

  test('given no run at all, then it fails with NO_RUNS', async () => {
    expect(await codeOf(status.run(input(), fakeIo(), fakePorts()))).toBe('NO_RUNS');
  });

  test('given an unknown name, then it fails with UNKNOWN_RUN', async () => {
    const ports = fakePorts({ client: fakeClient([[inTheMiddle()]]) });
    expect(await codeOf(status.run(input({ run: 'nope' }), fakeIo(), ports))).toBe('UNKNOWN_RUN');
  });
});

describe('cancel', () => {
  test('given an open run, then it is cancelled', async () => {
    const client = fakeClient([[inTheMiddle()]]);
    expect(await cancel.run(input({}, { reason: 'wrong tag' }), fakeIo(), fakePorts({ client }))).toBe(0);
    expect(client.cancelled).toEqual(['rehearsal/skiff/1.2.0']);
  });

  test('given a sender, then the cancel has reason and name apart, as the audit shows them', async () => {
    const asked: unknown[] = [];
    const client = { ...fakeClient([[inTheMiddle()]]), cancel: async (...said: unknown[]) => void asked.push(...said) };
    const ports = { ...fakePorts({ client }), env: { USER: 'kim' } };
    await cancel.run(input({}, { reason: 'wrong tag' }), fakeIo(), ports);
    expect(asked).toEqual(['rehearsal/skiff/1.2.0', 'wrong tag', inTheMiddle().run, 'kim']);
  });

  test('given a run that ended, then it fails with RUN_IS_CLOSED', async () => {
    expect(await codeOf(cancel.run(input(), fakeIo(), fakePorts({ client: fakeClient([[rehearsed()]]) })))).toBe(
      'RUN_IS_CLOSED',
    );
  });
});

describe('artifacts', () => {
  const wheel = { digest: `sha256:${'12'.repeat(32)}`, kind: 'wheel', name: 'skiff.whl', size: 2048, labels: {} };
  const image = { digest: `sha256:${'34'.repeat(32)}`, kind: 'image', name: 'skiff', size: 0, labels: {} };
  const store = fakeStore({
    [records.status(rehearsed().run)]: rehearsed(),
    [records.result(rehearsed().run, 'wheels/skiff')]: { step: 'wheels/skiff', artifacts: [wheel] },
    [records.result(rehearsed().run, 'images/skiff')]: { step: 'images/skiff', artifacts: [image] },
  });
  const ports = fakePorts({ store });

  test('given products without a test and dropped steps, then they are listed with their reasons', async () => {
    const { run } = rehearsed();
    const notRun = [{ step: 'wheels/skiff', names: ['skiff.whl'], because: 'no test takes it' }];
    const report = { dropped: [{ id: 'tests/gpu', because: 'nobody serves gpu' }], notRun };
    const told = fakePorts({
      store: fakeStore({
        [records.status(run)]: rehearsed(),
        [records.report(run)]: report,
        [records.result(run, 'wheels/skiff')]: { step: 'wheels/skiff', artifacts: [wheel] },
        [records.result(run, 'images/skiff')]: { step: 'images/skiff', artifacts: [image] },
      }),
    });
    const printed = async (step?: string, json?: boolean) => {
      const io = fakeIo();
      await artifacts.run(input(step === undefined ? {} : { step }, json ? { json } : {}), io, told);
      return io.printed.join('\n');
    };
    expect(await printed()).toMatch(
      /Built, not run\n {2}no test takes it\n {4}skiff.whl\n\nDropped\n {2}nobody serves gpu\n {4}tests\/gpu$/,
    );
    expect(await printed('images')).not.toMatch(/not run|Dropped/);
    const json = JSON.parse(await printed(undefined, true)) as { notRun?: string }[];
    expect(json.map((one) => one.notRun).sort()).toEqual(['no test takes it', undefined]);
  });

  test.each([
    ['has ended', rehearsed(), 'No artifacts.'],
    ['is open', { ...rehearsed(), state: 'running' as const }, 'No artifacts yet.'],
  ])('given a run that %s and made nothing, then the command says so', async (_, status, said) => {
    const io = fakeIo();
    const store = fakeStore({ [records.status(status.run)]: status });
    await artifacts.run(input(), io, fakePorts({ store }));
    expect(io.chatter).toEqual([said]);
  });

  test('given artifacts, then they are listed with size and digest', async () => {
    const io = fakeIo();
    await artifacts.run(input({ step: 'wheels' }), io, ports);
    expect(io.printed).toEqual([
      'STEP          KIND   NAME       SIZE     DIGEST\nwheels/skiff  wheel  skiff.whl  2.0 KiB  121212121212',
    ]);
  });

  test.each([['skiff.whl'], ['121212'], [wheel.digest]])('given `get %s`, then the artifact is saved', async (name) => {
    const io = fakeIo();
    await artifacts.run(input({ step: 'get', name }, { out: 'there' }), io, ports);
    expect(io.printed).toEqual([`there/skiff.whl ${wheel.digest}`]);
  });

  test.each([
    ['nothing.whl', 'NO_ARTIFACT'],
    ['12', 'NO_ARTIFACT'],
    ['skiff', 'IMAGE_IS_STAGED'],
  ])('given `get %s`, then it is refused with %s', async (name, code) => {
    expect(await codeOf(artifacts.run(input({ step: 'get', name }), fakeIo(), ports))).toBe(code);
  });
});
