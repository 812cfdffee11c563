/** @needs sandbox */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAnnounceRelease } from '../../src/activities/announce/announce-release.js';
import { tell } from '../../src/activities/notify/tell.js';
import { createWebhook } from '../../src/adapters/webhook/webhook.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import type { Target, TargetExtra } from '../../src/model/target.js';
import { records } from '../../src/model/run-folder.js';
import { aTarget, built, sealAndPublish, verify } from '../activities/publish/release.js';
import {
  anArtifact,
  aPlan,
  aResult,
  aStep,
  newHome,
  readLog,
  realSurroundings,
  RUN,
  runBody,
} from '../support/run-body.js';
import { until } from '../support/until.js';

const CANARY = 'canary-of-control-9d2e';
const FILE = 'skiff-1.2.3.conda';

/** A worker of control beside the line: its environment holds a credential. */
let worker: ChildProcess;
beforeAll(async () => {
  const env = { INDEX_PASSWORD: CANARY };
  worker = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env });
  await until(() => readFileSync(`/proc/${worker.pid}/environ`, 'utf8').includes(CANARY));
});
afterAll(() => worker.kill('SIGKILL'));

/** A home with the control key, and the line that wants it and writes a policy of its own. */
async function aHome() {
  const home = await newHome();
  mkdirSync(join(home, 'keys'));
  mkdirSync(join(home, 'shelf'));
  writeFileSync(join(home, 'keys', 'control.key'), CANARY);
  const line = `cat ${home}/keys/control.key /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' || true; echo evil > ${home}/policy.yaml || true`;
  const stolen = (log: string) => [log.includes(CANARY), readdirSync(home).includes('policy.yaml')];
  return { home, line, stolen, shelf: join(home, 'shelf') };
}
const HELD = [false, false];

/** A folder is the registry, as in the tests of the kind. */
const OBSERVE = `if [ -e "$ADDRESS/$NAME" ]; then echo "sha256:$(sha256sum "$ADDRESS/$NAME" | cut -d' ' -f1)"; else echo absent; fi`;
const commandTarget = (address: string, more: Partial<Extract<TargetExtra, { kind: 'command' }>>): Target =>
  aTarget({
    kind: 'command',
    address,
    extra: {
      kind: 'command',
      observe: OBSERVE,
      upload: 'cp "$FILE" "$ADDRESS/$NAME"',
      undo: null,
      secrets: [],
      ...more,
    },
  });

describe('[H5] a line of a release file runs beside the keys and the policy of the control worker', () => {
  test('given the line of an upload, then it sees no key and no environment, and writes only to its address', async () => {
    const { home, line, stolen, shelf } = await aHome();
    const target = commandTarget(shelf, { upload: `${line}; cp "$FILE" "$ADDRESS/$NAME"` });
    const { log } = await sealAndPublish(home, target, built([await anArtifact(home, FILE, 'bytes')]));
    expect(stolen(log)).toEqual(HELD);
    expect(readFileSync(join(shelf, FILE), 'utf8')).toBe('bytes');
  });

  test('given lines that observe and verify, then they see no key and no environment', async () => {
    const { home, line, stolen, shelf } = await aHome();
    const target = commandTarget(shelf, { observe: `(${line}) >&2; ${OBSERVE}` });
    const { log, result } = await sealAndPublish(home, target, built([await anArtifact(home, FILE, 'bytes')]));
    const checked = await verify(home, target, result, { run: line });
    expect(stolen(log + checked.log)).toEqual(HELD);
  });

  test('given an observe line whose answer is a link to a key, then no problem shows the key', async () => {
    const { home, shelf } = await aHome();
    const answer = `rm -f "$HOME/../work/observed"; ln -s ${home}/keys/control.key "$HOME/../work/observed"`;
    const target = commandTarget(shelf, { observe: answer });
    const failure = await sealAndPublish(home, target, built([await anArtifact(home, FILE, 'bytes')])).then(
      () => null,
      (error: { problems: readonly unknown[] }) => error.problems,
    );
    expect(failure).toMatchObject([{ code: 'OBSERVE_NOT_UNDERSTOOD' }]);
    expect(JSON.stringify(failure)).not.toContain(CANARY);
  });

  test('given the command of an announcement, then it sees no key and no environment', async () => {
    const { home, line, stolen } = await aHome();
    const manifest = await anArtifact(home, 'manifest.json', '{"artifacts": [], "evidence": [], "done": []}', {
      kind: 'manifest',
    });
    const sealed = aResult(
      { id: 'seal/manifest', kind: 'sealManifest' },
      { artifacts: [manifest], facts: { manifest: manifest.digest } },
    );
    const published = { target: 'pypi', published: [{ name: FILE, digest: manifest.digest, url: '' }] };
    const inputs = [sealed, aResult({ id: 'publish/pypi', kind: 'publishArtifacts' }, { facts: published })];
    const step = aStep('announceRelease', { outlet: { by: 'command', line, secrets: [] } }, { id: 'announce/world' });
    const { log } = await runBody(createAnnounceRelease({ webhook: createWebhook(2000) }), step, { home, inputs });
    expect(stolen(log)).toEqual(HELD);
  });

  test('given the command of a message, then it sees no key and no environment', async () => {
    const { home, line, stolen } = await aHome();
    const around = realSurroundings(home);
    const outlet = { by: 'command' as const, line, secrets: [] };
    const listener = { name: 'team', on: ['held' as const], rehearsal: false, outlet, files: [] };
    const plan = aPlan({ notify: { listeners: [listener], remind: { afterMs: 1, everyMs: 1 } } });
    const telling = {
      plan: manifestOf,
      run: RUN,
      workflowId: 'release/skiff/1.2.3',
      to: 'team',
      id: `${RUN}/1`,
      notices: [],
      more: 0,
    };
    await tell(telling, plan, around, createWebhook(2000), { attempt: 1, signal: new AbortController().signal });
    expect(stolen(await readLog(around, records.log(RUN, 'notify/team/1', 1)))).toEqual(HELD);
  });
  const manifestOf = `sha256:${'0'.repeat(64)}` as const;

  test('given a worker without a sandbox, then the line runs only if the release file accepts that', async () => {
    const { home, line, stolen, shelf } = await aHome();
    const target = commandTarget(shelf, { upload: line });
    const programs = createPrograms({ running: join(home, 'running'), sandbox: 'for this test' });
    const ran = sealAndPublish(home, target, built([await anArtifact(home, FILE, 'bytes')]), {
      surroundings: { programs },
    });
    await expect(ran).rejects.toMatchObject({ first: { code: 'SANDBOX_ABSENT' } });
    expect(stolen('')).toEqual(HELD);
  });
});
