/** @needs sandbox */
import { tell } from '../../../src/activities/notify/tell.js';
import { createWebhook } from '../../../src/adapters/webhook/webhook.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';
import type { Outlet } from '../../../src/model/listener.js';
import type { Notice, Notification } from '../../../src/model/notice.js';
import { records } from '../../../src/model/run-folder.js';
import { Listener } from '../../support/listener.js';
import { anArtifact, aPlan, newHome, readLog, realSurroundings, RUN } from '../../support/run-body.js';

let listener: Listener;
beforeAll(async () => {
  listener = await Listener.start();
});
afterAll(() => listener.stop());
beforeEach(() => listener.forget());

const HELD: Notice = {
  ...{ event: 'held', step: 'wheels/skiff', sinceMs: 0, code: 'STEP_COMMAND_FAILED', because: 'make ended with 2' },
  next: 'slipway retry wheels/skiff',
};
const aTelling = (over: Partial<Notification> = {}): Notification => ({
  ...{ plan: `sha256:${'0'.repeat(64)}`, run: RUN, workflowId: 'release/skiff/1.2.3', to: 'team', id: `${RUN}/1` },
  ...{ notices: [HELD], more: 0, ...over },
});
const WEBHOOK: Outlet = { by: 'webhook', url: '$HOOK', headers: { 'X-Token': '$TOKEN', 'x-plain': 'yes' } };
const SECRET = 'T0123/B0456/a-path-that-is-a-secret';

async function told(outlet: Outlet, telling = aTelling(), files: Record<string, string> = {}, env: object = {}) {
  const home = await newHome();
  const worker = { ...process.env, HOOK: `${listener.address}/${SECRET}?x=1`, TOKEN: 'the-token-of-team', ...env };
  const around = realSurroundings(home, { env: worker });
  const bundle = await Promise.all(
    Object.entries(files).map(async ([path, text]) => {
      const { digest, size } = await anArtifact(home, path, text);
      return { path, digest, size, executable: true };
    }),
  );
  const one = { name: 'team', on: ['held' as const], rehearsal: false, outlet, files: bundle.map(({ path }) => path) };
  const plan = aPlan({ bundle, notify: { listeners: [one], remind: { afterMs: 1, everyMs: 1 } } });
  const moment = { attempt: 1, signal: new AbortController().signal };
  const failure = await tell(telling, plan, around, createWebhook(2000), moment).then(
    () => null,
    (error: SlipwayFailure) => error,
  );
  return {
    home,
    failure,
    problem: failure?.problems[0],
    log: await readLog(around, records.log(RUN, 'notify/team/1', 1)),
  };
}

test('given a webhook, then it gets text for people, fields for programs, an id and its headers', async () => {
  expect((await told(WEBHOOK)).failure).toBeNull();
  expect(listener.heard).toHaveLength(1);
  const { path, headers, body } = listener.heard[0]!;
  expect(path).toBe(`/${SECRET}?x=1`);
  expect(headers).toMatchObject({
    ...{ 'content-type': 'application/json', 'idempotency-key': `${RUN}/1` },
    ...{ 'x-token': 'the-token-of-team', 'x-plain': 'yes' },
  });
  expect(body).toMatchObject({
    ...{ id: `${RUN}/1`, event: 'held', release: { name: 'skiff', version: '1.2.3' }, run: RUN, more: 0 },
    ...{
      notices: [{ ...HELD, next: 'slipway retry wheels/skiff --run release/skiff/1.2.3' }],
      profile: { name: 'local', rehearsal: false },
      workflow: 'release/skiff/1.2.3',
    },
  });
  expect(body['text']).toBe(
    'skiff 1.2.3: a step waits for an action\n• wheels/skiff: STEP_COMMAND_FAILED: make ended with 2\n  slipway retry wheels/skiff --run release/skiff/1.2.3',
  );
});

test('given a first error, then the message shows it', async () => {
  await told(WEBHOOK, aTelling({ notices: [{ ...HELD, firstError: 'a.c:1:1: error: no hull' } as Notice] }));
  expect(listener.heard[0]!.body['text']).toBe(
    'skiff 1.2.3: a step waits for an action\n• wheels/skiff: STEP_COMMAND_FAILED: make ended with 2\n  first error: a.c:1:1: error: no hull\n  slipway retry wheels/skiff --run release/skiff/1.2.3',
  );
});

test('given many notices, then one message counts them; a verdict has its reasons', async () => {
  await told(WEBHOOK, aTelling({ notices: [HELD, { ...HELD, step: 'b', event: 'reminder' }], more: 398 }));
  const text = String(listener.heard[0]!.body['text']);
  expect(text.split('\n')[0]).toBe('skiff 1.2.3: 400 steps wait for an action');
  expect(text).toContain('• b, since 1970-01-01T00:00:00Z: ');
  expect(text).toContain('… and 398 more');
  await told(WEBHOOK, aTelling({ notices: [], verdict: { verdict: 'failed', reasons: ['nothing was published'] } }));
  expect(listener.heard[1]!.body).toMatchObject({ event: 'verdict', verdict: 'failed', reasons: ['nothing was published'] }); // prettier-ignore
  expect(listener.heard[1]!.body['text']).toBe(
    'skiff 1.2.3: failed\n• nothing was published\nslipway status release/skiff/1.2.3',
  );
});

test.each([
  [[{ ...HELD, event: 'failed' }], 0, 'a step failed'],
  [[{ ...HELD, event: 'failed' }], 398, '399 steps failed'],
  [[HELD, { ...HELD, step: 'b', event: 'failed' }], 0, '2 steps failed or wait for an action'],
] as const)('given notices %j and %d more, then the message says: %s', async (notices, more, headline) => {
  await told(WEBHOOK, aTelling({ notices, more }));
  expect(String(listener.heard[0]!.body['text']).split('\n')[0]).toBe(`skiff 1.2.3: ${headline}`);
});

test.each([
  [500, 'WEBHOOK_REFUSED', 'infra'],
  [429, 'WEBHOOK_REFUSED', 'infra'],
  [403, 'WEBHOOK_REFUSED', 'denied'],
  [404, 'WEBHOOK_REFUSED', 'config'],
  [302, 'WEBHOOK_REFUSED', 'config'],
  ['hang up', 'WEBHOOK_UNREACHABLE', 'infra'],
] as const)(
  'given the answer %s, then the delivery failed, and neither address nor header is shown',
  async (status, code, as) => {
    listener.statuses = [status];
    const { failure, problem, log } = await told(WEBHOOK);
    expect(problem).toMatchObject({ code, class: as });
    expect(listener.heard).toHaveLength(1); // a redirect is not followed
    for (const text of [SECRET, SECRET.slice(6), 'the-token-of-team'])
      expect(`${JSON.stringify(failure!.problems)} ${failure!.message} ${log}`).not.toContain(text);
  },
);

test('given an unreachable host, an invalid address or an unset variable, then each has its code', async () => {
  const away = await told(WEBHOOK, aTelling(), {}, { HOOK: 'http://127.0.0.1:1/x' });
  expect(away.problem).toMatchObject({ code: 'WEBHOOK_UNREACHABLE', class: 'infra' });
  const wrong = await told(WEBHOOK, aTelling(), {}, { HOOK: 'not an address' });
  expect(wrong.problem).toMatchObject({ code: 'WEBHOOK_ADDRESS_WRONG', class: 'config' });
  expect(wrong.log).not.toContain('not an address');
  const unset = await told(WEBHOOK, aTelling(), {}, { HOOK: undefined });
  expect(unset.problem).toMatchObject({ code: 'SECRET_MISSING' });
  expect((await told(WEBHOOK, aTelling({ to: 'nobody' }))).problem).toMatchObject({ code: 'LISTENER_UNKNOWN' });
});

test('given a command, then it gets the message as a file and only its secrets; a failure has its last lines', async () => {
  const tells = `#!/bin/sh\ncat "$MESSAGE"\nenv | sort\necho "token $PAGER"\nexit $1\n`;
  const outlet = (code: number): Outlet => ({
    by: 'command',
    line: `"$SLIPWAY_FILES"/tell.sh ${code}`,
    secrets: ['PAGER'],
  });
  const env = { PAGER: 'secret-of-the-pager', OTHER: 'nobody-should-see' };
  const good = await told(outlet(0), aTelling(), { 'tell.sh': tells }, env);
  expect(good.failure).toBeNull();
  expect(good.log).toContain(`"id": "${RUN}/1"`);
  expect(good.log).toContain('PAGER=$PAGER');
  expect(good.log).toContain(`ID=${RUN}/1`);
  expect(good.log).not.toContain('nobody-should-see');
  expect(good.log).toContain('token $PAGER');

  const bad = await told(outlet(7), aTelling(), { 'tell.sh': tells }, env);
  expect(bad.problem).toMatchObject({
    code: 'TELL_COMMAND_FAILED',
    evidence: expect.arrayContaining(['token $PAGER']),
  });
  expect(bad.problem!.message).toContain('status 7');
});

test('given markup in program output, then the message mentions nobody and links nowhere', async () => {
  const because = '<!channel> <https://evil.example|status> @everyone [log](https://evil.example)';
  await told(WEBHOOK, aTelling({ notices: [{ ...HELD, because }] }));
  expect(listener.heard[0]!.body['text']).toContain(
    '‹!channel› ‹https://evil.example|status› @ everyone [log] (https://evil.example)',
  );
});
