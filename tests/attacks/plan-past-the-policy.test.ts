/** @long @needs tools */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { submit } from '../../src/adapters/facts/index.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { indexOpener } from '../../src/cli/cache/index-opener.js';
import { openPlanner } from '../../src/workers/open-planner.js';
import { put } from '../activities/index/an-index.js';
import { openFolder } from '../../src/adapters/static-index/folder.js';
import { drawPages } from '../../src/activities/index/draw-pages.js';
import { codesOf } from '../activities/publish/release.js';
import { startServer, type OwnServer } from '../adapters/http/a-server.js';
import { aWheelList, sdist, type WheelListWorld } from '../support/a-wheel-list.js';
import { holding, textsOf } from '../support/canary-texts.js';
import { fakeSignatures } from '../support/sign-plan.js';
import { pastOf } from '../support/past-of.js';

const CANARY = `canary-${process.pid}-of-a-worker/+x`;
/** Variables of the process that plans. The release file names them as credentials of its index. */
const SECRETS = { SIGNING_KEY: CANARY, OTHER: `${CANARY}2`, AWS_EC2_METADATA_DISABLED: 'true' };

let world: WheelListWorld;
/** The bucket of whoever wrote the release file. It answers with what it was sent. */
let thief: OwnServer;
beforeEach(async () => {
  world = await aWheelList();
  thief = await startServer(({ headers, url }, answer) => {
    const said = JSON.stringify({ headers, url }).replace(/[<&]/g, '');
    answer.writeHead(403, { 'content-type': 'application/xml' });
    answer.end(`<Error><Code>AccessDenied</Code><Message>${said}</Message></Error>`);
  });
  world.commit('skiff==1.0\n');
  world.index.project('skiff', [sdist('skiff-1.0.tar.gz')]);
  mkdirSync(join(world.folder, 'profiles'));
});
afterEach(async () => {
  await thief.stop();
  await world.end();
});

const home = (): string => join(world.folder, 'home');
/** Not a loopback address by its text; this host answers it all the same. */
const elsewhere = (): string => thief.address.replace('127.0.0.1', '0.0.0.0');
/** In texts of this suite: `elsewhere`, which is known once the server runs. */
const ELSEWHERE = 'http://elsewhere';
const KEYS = { username: '$SIGNING_KEY', password: '$OTHER' };
const bucket = (more: object = {}): object => ({ address: 's3://wheels/x', endpoint: ELSEWHERE, ...more });

/** The policy of the home, and what the profile says of itself. */
interface Said {
  readonly policy?: object;
  readonly rehearsal?: boolean;
}

const here = (content: object): string => JSON.stringify(content).replaceAll(ELSEWHERE, elsewhere());

function write(target: object, { policy, rehearsal = false }: Said): void {
  const targets = { cache: { kind: 'simple', reads: 'http://127.0.0.1:9/', ...target } };
  writeFileSync(join(world.folder, 'profiles', 'theirs.yaml'), here({ rehearsal, targets }));
  mkdirSync(home(), { recursive: true });
  if (policy !== undefined) writeFileSync(join(home(), 'policy.yaml'), here({ policy: 1, ...policy }), { mode: 0o600 });
}

const store = () => createDirectoryStore(join(home(), 'store'));

/** Plans as each process would. Returns the verdicts of the plan, or the problems. */
const PLANNING = {
  'a control worker': async () => {
    const env = { ...process.env, ...SECRETS, SLIPWAY_ROOTS: world.folder };
    const stopped = () => new AbortController().signal;
    const around = { store: store(), signatures: fakeSignatures, env, home: home(), stopped };
    return openPlanner(around).submit(world.file, 'theirs');
  },
  'a command': async () => {
    const open = indexOpener({ env: SECRETS, home: home() });
    const past = pastOf(store, open);
    return submit(world.file, 'theirs', { store: store(), signatures: fakeSignatures, past });
  },
} as const;
type Planning = keyof typeof PLANNING;
const planned = (by: Planning): Promise<unknown> =>
  PLANNING[by]().then(({ plan }) => plan.imports!.of[0]!.counts, codesOf);

const row = (more: object = {}): object => ({ kind: 'simple', address: 's3://wheels', endpoint: ELSEWHERE, ...more });
const both = (code: string) => ({ 'a control worker': code, 'a command': code });

describe.each(Object.keys(PLANNING) as Planning[])('given %s that plans the file of an attacker', (by) => {
  test.each<[string, object, Said, Readonly<Record<Planning, string>>]>([
    [
      'a bucket gets variables of the process, and there is no policy',
      bucket(KEYS),
      {},
      { 'a control worker': 'POLICY_MISSING', 'a command': 'INDEX_CREDENTIAL_UNLISTED' },
    ],
    ['the policy has no row for the bucket', bucket(KEYS), { policy: { publish: [] } }, both('POLICY_ADDRESS')],
    [
      'the policy has a row for another endpoint',
      bucket(KEYS),
      { policy: { publish: [{ kind: 'simple', address: 's3://wheels' }] } },
      both('POLICY_ADDRESS'),
    ],
    [
      'the policy allows the bucket and not the variables',
      bucket(KEYS),
      { policy: { publish: [row()] } },
      both('POLICY_SECRET'),
    ],
    ['the profile says it is a rehearsal', bucket(KEYS), { rehearsal: true }, both('REHEARSAL_ELSEWHERE')],
  ])('when %s, then it is refused, and no request is made', async (_, target, said, codes) => {
    write(target, said);
    expect(await planned(by)).toEqual([codes[by]]);
    expect(thief.asked).toEqual([]);
  });

  test('when the policy lists address and variables, then the bucket is asked, and no file holds what it repeats', async () => {
    write(bucket(KEYS), { policy: { publish: [row({ secrets: ['$SIGNING_KEY', '$OTHER'] })] } });
    const failure = await PLANNING[by]().catch((error: unknown) => error as { problems?: unknown });
    expect(codesOf(failure)).toEqual(['TARGET_DENIED']);
    expect(JSON.stringify(thief.asked)).toContain(CANARY); // the user name of a bucket is sent in clear
    for (const text of textsOf(CANARY))
      expect(JSON.stringify((failure as { problems: unknown }).problems)).not.toContain(text);
    expect(holding(world.folder, textsOf(CANARY))).toEqual([]);
  });

  test('when a policy does not list its folder, then the folder is neither read nor written', async () => {
    const place = openFolder('cache', join(world.folder, 'other'));
    const file = 'skiff-1.0-cp311-cp311-linux_x86_64.whl';
    await put(place, file, 'debian-12');
    await drawPages(place, 'debian-12', ['skiff']);
    const before = readdirSync(join(world.folder, 'other'), { recursive: true });
    const target = { address: join(world.folder, 'other') };
    write(target, { policy: { publish: [{ kind: 'simple', address: join(world.folder, 'own') }] } });
    expect(await planned(by)).toEqual(['POLICY_ADDRESS']);
    write(target, { policy: { publish: [{ kind: 'simple', ...target }] } });
    expect(await planned(by)).toEqual({ build: 1, here: 1 });
    expect(readdirSync(join(world.folder, 'other'), { recursive: true })).toEqual(before);
  });
});

test('given a worker without a policy, when a file names a folder of the machine, then the folder is not read', async () => {
  write({ address: join(world.folder, 'other') }, {});
  expect(await planned('a control worker')).toEqual(['POLICY_MISSING']);
  expect(await planned('a command')).toEqual({ build: 2 });
});

test('given a command and no policy, when a bucket elsewhere has no credentials in the profile, then those of AWS sign, and no variable is sent', async () => {
  write(bucket(), {});
  expect(await planned('a command')).toEqual(['TARGET_CREDENTIALS_ABSENT']);
  expect(thief.asked).toEqual([]);
});

test.each([
  ['a variable that is not set', { username: '$SIGNING_KEY', password: '$ABSENT' }, ['INDEX_CREDENTIAL_ABSENT']],
  [
    'two variables that are not set',
    { username: '$NOBODY', password: '$ABSENT' },
    ['INDEX_CREDENTIAL_ABSENT', 'INDEX_CREDENTIAL_ABSENT'],
  ],
  ['a file', { username: 'kim', password: 'file:/etc/hostname' }, ['INDEX_CREDENTIAL_NO_VARIABLE']],
  ['a command', { username: 'kim', password: 'command:touch ran' }, ['INDEX_CREDENTIAL_NO_VARIABLE']],
  ['a user name alone', { username: 'kim' }, ['INDEX_CREDENTIAL_HALF']],
])(
  'given a bucket of this machine whose credential is %s, then planning says so, and runs nothing',
  async (_, keys, codes) => {
    write(bucket({ ...keys, endpoint: thief.address }), {});
    for (const by of Object.keys(PLANNING) as Planning[]) expect(await planned(by)).toEqual(codes);
    expect(thief.asked).toEqual([]);
    expect(readdirSync(world.folder)).not.toContain('ran');
  },
);
