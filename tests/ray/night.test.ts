/** @needs ray services docker postgres s3 */
import type { TestAttempt } from '../../src/cli/tests/test-attempts.js';
import type { RunStatus } from '../../src/model/messages.js';
import type { Outcome } from '../../src/model/tests/outcome.js';
import type { Said } from '../support/own-services.js';
import { until } from '../support/until.js';
import { aNight, type Night } from './a-night.js';

/** How each attempt of the example's night ends. */
const ENDS = [
  'by_client 1: passed',
  'by_command 1: passed',
  'fails_with_7 1: TEST_FAILED (product, status 7)',
  'long_running_serve.kuberay 1: passed',
  'node_killed 1: passed',
  'prepare_fails 1: PREPARE_FAILED (product, status 3)',
  'stops_writing 1: ALERT (product)',
  'two_of_three 1: NODES_MISSING (infra)',
  'two_of_three 2: passed',
];
const TESTS = [...new Set(ENDS.map((end) => end.split(' ', 1)[0]!))];
const endsOf = (test: string): readonly string[] =>
  ENDS.filter((end) => end.startsWith(`${test} `)).map((end) => end.slice(end.indexOf(':') + 2));

type End = Pick<Outcome, 'title' | 'attempt' | 'code' | 'class' | 'exit'>;
const told = ({ title, attempt, code, class: kind, exit }: End): string =>
  `${title} ${attempt}: ${code === null ? 'passed' : `${code} (${kind}${exit === null ? '' : `, status ${exit}`})`}`;
const toldBy = (rows: readonly unknown[]): readonly string[] =>
  (rows as readonly (End & { readonly name?: string })[])
    .map((row) => told({ ...row, title: row.title ?? row.name }))
    .sort();

let night: Night;
let ended: Said;
let outcomes: readonly Outcome[];
let killed: Killed | null;

interface Killed {
  readonly address: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Kills a container of the test `node_killed` once all its nodes work. Null if the night ended before. */
async function killANode(hasEnded: () => boolean): Promise<Killed | null> {
  const { project } = night;
  const log = async (): Promise<string> => {
    const [run] = await project.runs();
    return run === undefined ? '' : project.logOf(run, 'tests/node_killed');
  };
  await until(async () => hasEnded() || /^3 nodes$/m.test(await log()));
  const docker = project.engine();
  const [found] = await docker.listContainers({ filters: { label: ['slipway.node=2'] } });
  if (found === undefined) return null;
  const container = docker.getContainer(found.Id);
  const { NetworkSettings } = await container.inspect();
  await container.kill();
  return { address: Object.values(NetworkSettings.Networks)[0]!.IPAddress, at: Date.now() };
}

beforeAll(async () => {
  night = await aNight();
  let hasEnded = false;
  const whole = night.project.run('run', '.', '--wait').finally(() => (hasEnded = true));
  [killed, ended] = await Promise.all([killANode(() => hasEnded), whole]);
  outcomes = await night.project.outcomes('ray-night');
  if (outcomes.length === 0) throw new Error(ended.stdout + ended.stderr);
});
afterAll(() => night?.close());

const outcomeOf = (title: string, attempt = 1): Outcome =>
  outcomes.find((one) => one.title === title && one.attempt === attempt)!;
const endedAt = ({ at }: Outcome): number => Date.parse(at);
const begunAt = ({ at, ms }: Outcome): number => Date.parse(at) - ms;

describe('given the night of examples/ray-night on real clusters', () => {
  test('when it has ended, then each test ended as it must, and the run says that tests failed', () => {
    expect(toldBy(outcomes)).toEqual(ENDS);
    expect(ended).toMatchObject({ code: 1 });
  });

  test('when a container of a job is killed, then the test passes, and its outcome has that node and the time', () => {
    const outcome = outcomeOf('node_killed');
    const { nodes, job } = outcome;
    expect(job).not.toBeNull();
    expect(nodes).toMatchObject({ seen: 3, lost: [{ node: killed!.address }] });
    const lostAt = begunAt(outcome) + nodes.lost[0]!.atMs;
    expect(lostAt).toBeGreaterThanOrEqual(killed!.at);
    expect(lostAt).toBeLessThanOrEqual(endedAt(outcome));
  });

  test('when a process of a command is killed, then the test passes, and its outcome has that node and the time', async () => {
    const { nodes, job, step, ms } = outcomeOf('by_command');
    expect(job).toBeNull();
    const { stdout } = await night.project.run('logs', step);
    const [, address] = /killing node \['--node_ip_address=([\d.]+)'\]/.exec(stdout)!;
    expect(nodes).toMatchObject({ seen: 3, lost: [{ node: address }] });
    expect(nodes.lost[0]!.atMs).toBeGreaterThan(0);
    expect(nodes.lost[0]!.atMs).toBeLessThanOrEqual(ms);
  });

  test('when nodes are missing, then the next attempt has another cluster, after the wait of the file', () => {
    const [first, second] = [outcomeOf('two_of_three'), outcomeOf('two_of_three', 2)];
    expect([first.nodes.seen, second.nodes.seen]).toEqual([2, 3]);
    expect(begunAt(second) - endedAt(first)).toBeGreaterThanOrEqual(5_000);
  });

  test('when it has ended, then rows of both reports and of the history have the codes of the records', async () => {
    const sql = 'select title, attempt, code, class, exit from outcome';
    const history = await night.project.run('history', '--json', '--sql', sql);
    expect(toldBy(JSON.parse(history.stdout) as unknown[])).toEqual(ENDS);
    expect(toldBy(await night.tableRows())).toEqual(ENDS);
    const rows = await night.fileRows();
    expect(rows === null ? 'no S3 server' : toldBy(rows)).toEqual(rows === null ? 'no S3 server' : ENDS);
  });

  test('when it has ended, then `slipway status` has the codes of the records', async () => {
    const { stdout } = await night.project.run('status', '--json');
    const { status, attempts } = JSON.parse(stdout) as { status: RunStatus; attempts: TestAttempt[] };
    expect(toldBy(attempts)).toEqual(ENDS);
    for (const { step, code, class: kind } of attempts) {
      const { problems = [] } = status.steps.find(({ id }) => id === step)!;
      const last = attempts.findLast((one) => one.step === step)!;
      if (last.code === null) expect({ step, problems }).toEqual({ step, problems: [] });
      else expect(problems).toMatchObject([{ code, class: kind }]);
    }
    const shown = (await night.project.run('status')).stdout;
    for (const title of TESTS) {
      const { step } = outcomeOf(title);
      const ends = endsOf(title);
      const { code, class: kind } = outcomes.findLast((one) => one.title === title)!;
      if (code !== null) expect(shown).toMatch(new RegExp(`✗ ${step} failed.*\\n(✗ .*\\n)*  .*${code} \\(${kind}\\)`));
      if (ends.length > 1)
        for (const [at, end] of ends.entries())
          expect(shown.replaceAll(/ +/g, ' ')).toContain(`${step} attempt ${at + 1} ${end}`);
    }
    expect(shown).toContain(`lost ${killed!.address} after`);
  });

  test.each(TESTS)('when it has ended, then `slipway tests show %s` has the codes of the records', async (title) => {
    const { stdout } = await night.project.run('tests', 'show', title, '--json');
    const { nights } = JSON.parse(stdout) as { nights: { outcomes: Outcome[] }[] };
    expect(nights.map((one) => toldBy(one.outcomes))).toEqual([ENDS.filter((end) => end.startsWith(`${title} `))]);
    const shown = (await night.project.run('tests', 'show', title)).stdout;
    const ends = endsOf(title);
    if (ends.some((end) => end !== 'passed')) expect(shown).toContain(ends.join(', '));
    else expect(shown).not.toMatch(/\b[A-Z]+_[A-Z_]+ \(/);
    for (const { node } of outcomeOf(title).nodes.lost) expect(shown).toContain(`lost ${node} after`);
  });

  test('when it has ended, then no container, network or process of a cluster is left', async () => {
    expect(await night.project.left()).toEqual([]);
  });
});
