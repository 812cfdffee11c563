/** @long @needs temporal registries */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKeyPairSync, verify } from 'node:crypto';
import type { Envelope } from '../../src/model/evidence.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import type { Digest } from '../../src/model/digest.js';
import type { Report } from '../../src/model/report.js';
import type { Result } from '../../src/model/result.js';
import { records } from '../../src/model/run-folder.js';
import { CONTROL, RELEASE_WORKFLOW, workflowIdOf } from '../../src/model/ids.js';
import type { ReleaseInput, RunStatus } from '../../src/model/messages.js';
import { newHome } from '../support/run-body.js';
import { startDevpi, type TestServer } from '../support/registries.js';
import { MAKE_WHEEL } from '../support/tiny-projects.js';
import { statusOf } from '../support/ask-run.js';
import { holding, textsOf } from '../support/canary-texts.js';
import { aWorldWith, everythingTheServerTells, type CanaryWorld } from './a-canary.js';

/** Nobody else has it, and no encoding leaves it as it is. */
const CANARY = `Canary/+${process.pid}:x"Zk-yellow`;
/** Printed beside the secret: what finds this would find the secret. */
const MARK = 'what-the-build-printed';

let world: CanaryWorld;
let devpi: TestServer;

beforeAll(async () => {
  [world, devpi] = await Promise.all([aWorldWith(CANARY), newHome().then((folder) => startDevpi(folder, CANARY))]);
});
afterAll(async () => {
  await devpi?.stop();
  await world?.close();
});

/** A key that signs, and a line of it that would tell. */
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const KEY_LINE = PEM.split('\n')[1]!;

/** Python that gives the text without holding it: the sandbox hides the files of secrets from builds. */
const spelled = (text: string): string =>
  `bytes.fromhex('${Buffer.from(text).reverse().toString('hex')}')[::-1].decode()`;

/** A careless build that got hold of a password. */
const BABBLES = `import base64, sys, time, urllib.parse
secret = ${spelled(CANARY)}
print('${MARK}', secret, flush=True)
sys.stdout.write(secret[:7]); sys.stdout.flush(); time.sleep(0.2); print(secret[7:], flush=True)
print('Authorization: Basic', base64.b64encode(('root:' + secret).encode()).decode())
print(base64.b64encode(secret.encode()).decode().rstrip('='), urllib.parse.quote(secret), urllib.parse.quote_plus(secret))
print(repr(secret), file=sys.stderr)
print(${spelled(PEM)})
sys.exit(int(sys.argv[1]))
`;

const file = (name: string, before: string, steps: string, told: string): string => `slipway: 1
release: { name: ${name}, version: '1.0' }
source: { git: .. }
platforms: [linux-x86_64]
pythons: [cp311]
wheels:
  ${name}:
    platform: none
    python: none
    builder: command
    files: [make-wheel.py, babbles.py]
    run: ${before}python3 {files}/make-wheel.py {out} ${name} 1.0 'answer = 1'
${steps}publish:
  shelf: { kind: python, files: [wheels/${name}] }
${told}`;

/** References that the policy of the home names: without one no worker reads a file or runs a command. */
const named: string[] = ['$CANARY'];
const allow = (...references: readonly string[]): void => {
  named.push(...references);
  writeFileSync(join(world.home, 'policy.yaml'), `policy: 1\nsecrets: ${JSON.stringify(named)}\n`, { mode: 0o600 });
};

/** A release in a git repository, with a profile whose password is this reference. */
async function project(
  name: string,
  reference: (secret: string) => string,
  how: { readonly babbles?: true; readonly fails?: true },
): Promise<string> {
  const folder = await newHome();
  const secret = join(await newHome(), 'password');
  writeFileSync(secret, `${CANARY}\n`);
  writeFileSync(`${secret}.pem`, PEM);
  allow(`file:${secret}`, `file:${secret}.pem`, reference(secret));
  const release = join(folder, 'release');
  mkdirSync(join(release, 'profiles'), { recursive: true });
  const failing = `steps:
  tells: { files: [babbles.py], run: 'python3 {files}/babbles.py 3' }
`;
  // What stands behind the address is none: it is refused at once, and nothing of it is told.
  const listening = `notify: { team: { webhook: 'file:${secret}', headers: { x-token: 'file:${secret}' }, rehearsal: true } }
`;
  const world = `announce: { world: { webhook: 'file:${secret}' } }\n`;
  const files = {
    'slipway.yaml': file(
      name,
      how.babbles ? `python3 {files}/babbles.py 0; ` : '',
      how.fails ? failing : '',
      `${world}${how.fails ? listening : ''}`,
    ),
    'make-wheel.py': MAKE_WHEEL,
    'babbles.py': BABBLES,
    'profiles/canary.yaml': `rehearsal: true
kinds:
  python: { address: '${devpi.address}', username: root, password: '${reference(secret)}' }
attest: { key: 'file:${secret}.pem' }
`,
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(release, path), text);
  const git = (...argv: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=canary', '-c', 'user.email=canary@localhost', ...argv], { cwd: folder });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'one');
  return join(release, 'slipway.yaml');
}

async function release(name: string, path: string): Promise<RunStatus> {
  const input: ReleaseInput = { file: path, profile: 'canary', onFailure: 'fail' };
  const handle = await world.env.client.workflow.start(RELEASE_WORKFLOW, {
    ...{ taskQueue: CONTROL, workflowId: workflowIdOf({ name, version: '1.0', rehearsal: true }), args: [input] },
  });
  await handle.result().catch(() => undefined);
  return await statusOf(handle);
}

const stateOf = ({ steps }: RunStatus, id: string): string | undefined =>
  steps.find((step) => step.id.startsWith(id))?.state;

const TELLS: readonly string[] = [...textsOf(CANARY), KEY_LINE];

/** What the release attests is signed for the bytes that were published. */
async function mustBeSigned({ run }: RunStatus): Promise<void> {
  const store = createDirectoryStore(join(world.home, 'store'));
  const read = async (digest: Digest): Promise<string> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of await store.get(digest)) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };
  const made = (await store.read<Result>(records.result(run, 'attest/release')))!.artifacts;
  const envelope = JSON.parse(
    await read(made.find(({ name }) => name === 'canary-1.0.intoto.jsonl')!.digest),
  ) as Envelope;
  const body = Buffer.from(envelope.payload, 'base64');
  const signed = Buffer.concat([Buffer.from(`DSSEv1 28 ${envelope.payloadType} ${body.length} `), body]);
  expect(verify('sha256', signed, publicKey, Buffer.from(envelope.signatures[0]!.sig, 'base64'))).toBe(true);
  const published = (await store.read<Report>(records.report(run)))!.published.map(({ digest }) => digest.slice(7));
  expect(published).toHaveLength(1);
  expect(body.toString()).toContain(published[0]!);
}

test('given a password that a build prints, then it is in no history, log, store, detail or database byte', async () => {
  const good = await release('canary', await project('canary', (path) => `file:${path}`, { babbles: true }));
  expect(good.problems.concat(good.steps.flatMap(({ problems }) => problems ?? []))).toEqual([]);
  const states = ['wheels/canary', 'publish/shelf', 'announce/world'].map((id) => stateOf(good, id));
  expect(states).toEqual(['done', 'done', 'done']);
  expect(good.steps.find(({ id }) => id === 'announce/world')!.note).toBe('rehearsal: would announce 1 file');

  await mustBeSigned(good);

  const bad = await release('songbird', await project('songbird', () => '$CANARY', { babbles: true, fails: true }));
  expect(stateOf(bad, 'steps/tells')).toBe('failed');
  expect(JSON.stringify(bad)).toContain(`${MARK} $CANARY`);
  expect(bad.failedNotifications).toMatchObject([{ code: 'WEBHOOK_ADDRESS_WRONG' }]);

  const asked = await release('finch', await project('finch', (path) => `command:cat ${path}`, {}));
  // What a command prints is known only where it was run: no other worker asks for it.
  expect([stateOf(asked, 'wheels/finch'), stateOf(asked, 'publish/shelf')]).toEqual(['done', 'done']);

  const told = await everythingTheServerTells(world.env);
  expect(told).toContain(MARK);
  for (const text of TELLS) expect(told).not.toContain(text);
  // The database is one of its files: the evidence of the failed step is there, and the secret beside it is not.
  expect(holding(join(world.home, 'temporal'), [MARK])).not.toEqual([]);
  expect(holding(join(world.home, 'store'), [MARK])).not.toEqual([]);
  expect(readFileSync(join(world.home, 'workers.log'), 'utf8')).toContain('STEP_COMMAND_FAILED');
  expect(holding(world.home, TELLS)).toEqual([]);
});

test('given a published wheel altered in the store, when the release runs again, then it is rebuilt and not sent twice', async () => {
  const path = await project('heron', (secret) => `file:${secret}`, {});
  const store = createDirectoryStore(join(world.home, 'store'));
  const wheelOf = async ({ run }: RunStatus): Promise<Result> =>
    (await store.read<Result>(records.result(run, 'wheels/heron')))!;
  const first = await wheelOf(await release('heron', path));
  const hex = first.artifacts[0]!.digest.slice('sha256:'.length);
  const object = join(world.home, 'store', 'cas', 'sha256', hex.slice(0, 2), hex);
  const bytes = readFileSync(object);
  bytes[bytes.length >> 1]! ^= 1;
  chmodSync(object, 0o644);
  writeFileSync(object, bytes);

  const again = await release('heron', path);
  expect([stateOf(again, 'wheels/heron'), stateOf(again, 'publish/shelf')]).toEqual(['done', 'cached']);
  const second = await wheelOf(again);
  expect(second.artifacts).toEqual(first.artifacts);
  const told = second.findings.filter(({ code }) => code === 'STORE_REBUILT');
  expect(told).toMatchObject([{ why: expect.stringContaining('the same bytes') }]);
  expect(readdirSync(join(world.home, 'store', 'quarantine'))).toHaveLength(1);
});
