/** @needs sandbox */
import { createAnnounceRelease } from '../../../src/activities/announce/announce-release.js';
import { createWebhook } from '../../../src/adapters/webhook/webhook.js';
import { foldLedger } from '../../../src/engine/ledger/fold.js';
import { LEDGER, type LedgerEntry } from '../../../src/engine/ledger/entry.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';
import type { Outlet } from '../../../src/model/listener.js';
import { Listener } from '../../support/listener.js';
import {
  anArtifact,
  aPlan,
  aResult,
  aStep,
  newHome,
  runBody,
  sha256,
  RUN,
  type BodyRun,
} from '../../support/run-body.js';

let listener: Listener;
beforeAll(async () => {
  listener = await Listener.start();
});
afterAll(() => listener.stop());
beforeEach(() => listener.forget());

const MANIFEST = '{"artifacts": [], "evidence": [], "done": []}';
const HOOK: Outlet = { by: 'webhook', url: '$HOOK', headers: {} };
const body = createAnnounceRelease({ webhook: createWebhook(2000) });
const aWheel = (version = '1.2.3') => ({ name: `skiff-${version}.whl`, digest: sha256('wheel'), url: `https://index.example/skiff-${version}.whl` }); // prettier-ignore

async function announced(
  home: string,
  outlet: Outlet = HOOK,
  more: Parameters<typeof runBody>[2] = {},
): Promise<BodyRun> {
  const manifest = await anArtifact(home, 'manifest.json', MANIFEST, { kind: 'manifest' });
  const sealed = aResult(
    { id: 'seal/manifest', kind: 'sealManifest' },
    { artifacts: [manifest], facts: { manifest: manifest.digest } },
  );
  const published = aResult(
    { id: 'publish/pypi/wheels.skiff', kind: 'publishArtifacts' },
    { facts: { target: 'pypi', published: [aWheel()] } },
  );
  const pointer = (name: string, moved: boolean) =>
    aResult({ id: `point/hub/${name}`, kind: 'movePointer' }, { facts: { target: 'hub', name, moved, digest: null } });
  const env = { ...process.env, HOOK: `${listener.address}/hook`, TOKEN: 'the-token' };
  return runBody(body, aStep('announceRelease', { outlet }, { id: 'announce/world', stage: 'announce' }), {
    ...{ home, inputs: [sealed, published, pointer('latest', true), pointer('older', false)] },
    ...{ surroundings: { env }, ...more },
  });
}
const failed = (run: Promise<BodyRun>): Promise<SlipwayFailure> => run.then(() => Promise.reject(new Error('announced')), (error: SlipwayFailure) => error); // prettier-ignore

async function ledgerOf({ around }: BodyRun) {
  const records = await around.store.list(LEDGER);
  const lines = await Promise.all(
    records.map(async (record) => ({ record, entry: (await around.store.read<LedgerEntry>(record))! })),
  );
  return foldLedger(lines).map(({ target, file, verb }) => [target, file, verb]);
}

test('given a release, when it is announced, then listeners hear once what was published; a rerun announces nothing', async () => {
  const home = await newHome();
  const first = await announced(home);
  expect(first.made).toMatchObject({ reused: false, note: 'announced 1 file', facts: { announced: true } });
  const { body: told, headers } = listener.heard[0]!;
  expect(told).toMatchObject({
    ...{ event: 'announce', release: { name: 'skiff', version: '1.2.3' }, profile: 'local', run: RUN },
    ...{ published: [{ target: 'pypi', ...aWheel() }], pointers: [{ target: 'hub', name: 'latest' }] },
    ...{ manifest: sha256(MANIFEST), mayBeRepeated: false },
  });
  expect(told['text']).toBe(
    'skiff 1.2.3 is released\n• pypi: https://index.example/skiff-1.2.3.whl\n• hub: latest now at 1.2.3',
  );
  expect(headers['idempotency-key']).toBe(told['id']);
  expect(await ledgerOf(first)).toEqual([['announce:world', 'skiff/1.2.3', 'done']]);

  const again = await announced(home);
  expect(again.made).toMatchObject({ reused: true, facts: { announced: true } });
  const next = await announced(home, HOOK, { plan: aPlan({ release: { name: 'skiff', version: '1.2.4' } }) });
  expect(next.made.reused).toBe(false);
  expect(listener.heard.map(({ body: { id } }) => id)).toEqual([
    'announce:world/skiff/1.2.3/local',
    'announce:world/skiff/1.2.4/local',
  ]);
});

test('given an attempt with unknown outcome, when it is retried, then the same id is sent, marked as a possible repetition', async () => {
  const home = await newHome();
  listener.statuses = ['hang up'];
  expect((await failed(announced(home))).problems[0]).toMatchObject({ code: 'WEBHOOK_UNREACHABLE', class: 'infra' });
  const second = await announced(home, HOOK, { attempt: 2 });
  expect(second.made.note).toBe('announced 1 file; an earlier try may have arrived too');
  const [one, two] = listener.heard.map(({ body: told }) => told);
  expect([one!['id'], one!['mayBeRepeated'], two!['mayBeRepeated']]).toEqual([two!['id'], false, true]);
  expect(await ledgerOf(second)).toEqual([['announce:world', 'skiff/1.2.3', 'done']]);
});

test('given a worker killed right after sending, then the retry says that an earlier message may have left', async () => {
  const home = await newHome();
  const passes = async (_step: string, when: string): Promise<void> => {
    if (when === 'after') throw new Error('killed here');
  };
  const around = { env: { ...process.env, HOOK: `${listener.address}/hook` }, passes };
  await expect(announced(home, HOOK, { surroundings: around })).rejects.toThrow('killed here');
  expect(listener.heard).toHaveLength(1);
  const next = await announced(home, HOOK, { attempt: 2 });
  expect(listener.heard.map(({ body: { mayBeRepeated } }) => mayBeRepeated)).toEqual([false, true]);
  expect(next.made.facts).toMatchObject({ announced: true });
});

test('given a rehearsal, then nothing is sent, and the ledger is unchanged', async () => {
  const home = await newHome();
  const plan = aPlan({ profile: { name: 'local', rehearsal: true } });
  const run = await announced(home, { ...HOOK, url: '$NOT_SET' } as Outlet, { plan });
  expect(run.made).toMatchObject({ note: 'rehearsal: would announce 1 file', facts: { announced: false } });
  expect(run.log).toContain('skiff 1.2.3 is released');
  expect([listener.heard, await ledgerOf(run)]).toEqual([[], []]);
});

test('given a command, then it gets the message and the sealed manifest as files', async () => {
  const home = await newHome();
  const line = `cat "$MESSAGE" "$MANIFEST"; test "$TOKEN" = the-token; echo; echo "$NAME $VERSION"`;
  const { log } = await announced(home, { by: 'command', line, secrets: ['TOKEN'] });
  expect(log).toContain('"event": "announce"');
  expect(log).toContain(`}\n${MANIFEST}\nskiff 1.2.3\n`);
  const worse = await failed(announced(await newHome(), { by: 'command', line: 'echo no; exit 4', secrets: [] }));
  expect(worse.problems[0]).toMatchObject({ code: 'TELL_COMMAND_FAILED', evidence: expect.arrayContaining(['no']) });
});
