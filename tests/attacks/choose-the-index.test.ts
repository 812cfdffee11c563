/** @needs tools python */
import { join } from 'node:path';
import { makeBodies } from '../../src/activities/kind-bodies.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import { startServer, type OwnServer } from '../adapters/http/a-server.js';
import { aResult, aStep, anArtifact, newHome, runBody } from '../support/run-body.js';
import { write } from './a-checkout.js';

let own: OwnServer;
let evil: OwnServer;
beforeEach(async () => {
  [own, evil] = [await startServer(), await startServer()];
  for (const server of [own, evil]) server.answers = (_, answer) => void answer.writeHead(404).end();
});
afterEach(() => Promise.all([own.stop(), evil.stop()]));

/** A home below a folder of the attacker's, who chooses an index for uv and for pip. */
async function hostileHome(): Promise<string> {
  const parent = await newHome();
  const uv = `extra-index-url = ["${evil.address}/simple"]\n`;
  const pip = `[global]\nextra-index-url = ${evil.address}/simple\n`;
  write(parent, { 'uv.toml': `${uv}[pip]\n${uv}`, 'pip.conf': pip, 'home/empty': '' });
  return join(parent, 'home');
}

const programsOf = (home: string) => createPrograms({ running: join(home, 'running'), graceMs: 500 });
const bodiesOf = (home: string) =>
  makeBodies(['runTest', 'runCommand'], { programs: programsOf(home), archives: createArchives(), containers: null });

const aLine = (run: string, env: Readonly<Record<string, string>> = {}) =>
  ({ run, env, network: true, folder: '', where: { in: 'host' }, outputs: [], expect: null }) as const;

/** The worker's index, as its own environment names it. */
const worker = (): { readonly env: NodeJS.ProcessEnv } => ({
  env: { ...process.env, UV_DEFAULT_INDEX: `${own.address}/simple`, PIP_INDEX_URL: `${own.address}/simple` },
});

describe("[M7] a parent's uv.toml chooses the index that tests and locks install from", () => {
  test("given a uv.toml above the home, when a test installs its lock, then only the worker's index is asked", async () => {
    const home = await hostileHome();
    const lock = await anArtifact(home, 'lock.txt', `oars==1.0 --hash=sha256:${'a'.repeat(64)}\n`, { kind: 'lock' });
    const wheel = await anArtifact(home, 'skiff-1-py3-none-any.whl', 'PK', {
      kind: 'wheel',
      labels: { python: 'cp311' },
    });
    const inputs = [aResult({ id: 'wheels/skiff', kind: 'buildWheel' }, { artifacts: [lock, wheel] })];
    const params = {
      in: 'venv',
      run: 'true',
      env: {},
      network: true,
      python: 'cp311',
      expect: null,
      result: null,
      artifacts: [],
    } as const;
    const testing = runBody(bodiesOf(home).runTest, aStep('runTest', params), { home, inputs, surroundings: worker() });
    await expect(testing).rejects.toThrow('COMMAND_FAILED');
    expect(evil.asked).toEqual([]);
    expect(own.asked.map(({ url }) => url)).toContain('/simple/oars/');
  });

  test.each([
    ['uv', 'uv pip compile requirements.in'],
    [
      'pip',
      'PIP_CONFIG_FILE="${PIP_CONFIG_FILE:-$HOME/../../../../../pip.conf}" python3 -m pip download --no-deps -r requirements.in',
    ],
  ])("given a hostile settings file, when a line starts %s, then only the worker's index is asked", async (_, run) => {
    const home = await hostileHome();
    const params = aLine(`echo oars > requirements.in; ${run} || true`);
    const { log } = await runBody(bodiesOf(home).runCommand, aStep('runCommand', params), {
      home,
      surroundings: worker(),
    });
    expect([evil.asked, log]).toEqual([[], expect.stringContaining('oars')]);
    expect(own.asked.map(({ url }) => url)).toContain('/simple/oars/');
  });

  test('given a release file that allows uv settings of its source, when it builds, then uv reads them', async () => {
    const home = await hostileHome();
    const run = `printf 'index-url = "${own.address}/mirror"\\n' > uv.toml; echo oars > r.in; uv pip compile r.in || true`;
    const params = aLine(run, { UV_NO_CONFIG: 'false' });
    const surroundings = { env: { ...process.env, UV_DEFAULT_INDEX: undefined } };
    await runBody(bodiesOf(home).runCommand, aStep('runCommand', params), { home, surroundings });
    expect([own.asked[0]?.url, evil.asked]).toEqual(['/mirror/oars/', []]);
  });
});
