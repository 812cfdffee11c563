/** @long @needs temporal registries sandbox */
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTROL, PIPELINE_WORKFLOW } from '../../src/model/ids.js';
import type { ReleaseInput, RunStatus } from '../../src/model/messages.js';
import { listedIn } from '../activities/index/an-index.js';
import { JSON_PAGE, startPythonIndex, type PythonIndex } from '../doubles/python-index.js';
import { statusOf } from '../support/ask-run.js';
import { anSdist } from '../support/an-sdist.js';
import { wheelsService, type WheelsService } from '../support/wheels-service.js';
import { holding, textsOf } from '../support/canary-texts.js';
import { aWorldWith, everythingTheServerTells, type CanaryWorld } from './a-canary.js';

/** No encoding leaves it as it is. */
const CANARY = `Canary+${process.pid}~/x&Zk-yellow`;
const PLATFORM = 'debian-12';

let world: CanaryWorld;
let upstream: PythonIndex;
let wheels: WheelsService;
/** A folder of the user: settings of pip, netrc. */
const user = mkdtempSync(join(tmpdir(), 'slipway-user-'));
beforeAll(async () => {
  upstream = await startPythonIndex();
  world = await aWorldWith('unused', { HOME: user, PIP_CONFIG_FILE: join(user, 'pip.conf'), PIP_INDEX_URL: undefined });
  wheels = await wheelsService(world.home);
});
afterAll(async () => {
  await wheels?.stop();
  await world?.close();
  await upstream?.stop();
});

const isLoggedIn = ({ headers }: IncomingMessage): boolean =>
  headers.authorization === `Basic ${Buffer.from(`kim:${CANARY}`).toString('base64')}`;

/** Answers only with the password; what goes wrong repeats it. */
const guarded =
  (answer: (response: ServerResponse) => void) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    if (!isLoggedIn(request)) return void response.writeHead(401, { 'www-authenticate': 'Basic realm="i"' }).end();
    answer(response);
  };

function serve(name: string): void {
  const bytes = anSdist(name);
  const filename = `${name}-1.0.tar.gz`;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const files = [{ filename, url: `../../files/${filename}`, hashes: { sha256 } }];
  upstream.answer(
    name,
    guarded((response) => {
      response.setHeader('content-type', JSON_PAGE);
      response.end(JSON.stringify({ meta: { 'api-version': '1.1' }, name, files }));
    }),
  );
  upstream.file(
    filename,
    guarded((response) => void response.end(bytes)),
  );
}

const fileOf = (pipeline: string, wants: readonly string[]): string => `slipway: 1
pipeline: { name: ${pipeline}, label: n1 }
platforms: { ${PLATFORM}: { like: linux-x86_64, libc: '2.36' } }
wheels:
  asked: { import: wheel-list, wants: [${wants.join(', ')}], for: { ${PLATFORM}: [cp311] } }
publish:
  cache: { kind: simple, files: ['wheels/*'], when: built }
`;

async function refreshed(pipeline: string, wants: readonly string[]): Promise<RunStatus> {
  const file = join(mkdtempSync(join(tmpdir(), 'slipway-refresh-')), 'slipway.yaml');
  writeFileSync(file, fileOf(pipeline, wants));
  const input: ReleaseInput = { file, profile: 'local', onFailure: 'fail' };
  const handle = await world.env.client.workflow.start(PIPELINE_WORKFLOW, {
    ...{ taskQueue: CONTROL, workflowId: `pipeline/${pipeline}/n1`, args: [input] },
  });
  await handle.result().catch(() => undefined);
  return statusOf(handle);
}

const WAYS: readonly (readonly [string, string, () => void])[] = [
  [
    'the address of the index',
    'skiff',
    () => configure(upstream.address.replace('//', `//kim:${encodeURIComponent(CANARY)}@`)),
  ],
  [
    'netrc',
    'oars',
    () => {
      configure(upstream.address);
      writeFileSync(join(user, '.netrc'), `machine 127.0.0.1 login kim password ${CANARY}\n`, { mode: 0o600 });
    },
  ],
];
const configure = (address: string): void =>
  writeFileSync(join(user, 'pip.conf'), `[global]\nindex-url = ${address}\n`);

test.each(WAYS)(
  'given a password in %s alone, when wheels are refreshed, then they are listed, and nothing holds the password',
  async (_, project, configured) => {
    configured();
    serve(project);
    upstream.answer(
      `${project}-broken`,
      guarded((response) => void response.writeHead(500).end(CANARY)),
    );
    const status = await refreshed(`fleet-${project}`, [project, `${project}-broken`]);
    expect([status.verdict, status.problems]).toMatchObject([{ verdict: 'done' }, []]);
    expect(listedIn(wheels.root, project, PLATFORM)).toEqual([`${project}-1.0-py3-none-any.whl`]);

    const told = await everythingTheServerTells(world.env);
    expect(told).toContain(`wheels/${project}-1.0`);
    for (const text of textsOf(CANARY)) expect(told).not.toContain(text);
    expect(holding(join(world.home, 'store'), [`${project}-1.0.tar.gz`])).not.toEqual([]);
    expect(holding(wheels.root, [`${project}-1.0`])).not.toEqual([]);
    for (const folder of [world.home, wheels.root]) expect(holding(folder, textsOf(CANARY))).toEqual([]);
  },
);
