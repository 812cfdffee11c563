/** @long @needs temporal ssh */
import { records } from '../../src/model/run-folder.js';
import {
  aRelease,
  around,
  auditOf,
  codeOf,
  endOf,
  gateOf,
  playGates,
  said,
  send,
  sealing,
  start,
  until,
  workerOf,
} from './a-gated-run.js';

playGates();

test('given a gate whose worker died, when a signed approval arrives, then it passes', async () => {
  const skeleton = await aRelease('1.0', {});
  const done: string[] = [];
  const first = await workerOf(skeleton, sealing('A', done));
  const handle = await first.runUntil(async () => {
    const run = await start(skeleton);
    await until(run, 'at gate');
    return run;
  });
  const second = await workerOf(skeleton, sealing('A', done), { maxCachedWorkflows: 0 });
  await second.runUntil(async () => {
    const status = await until(handle, 'at gate');
    expect(done).toEqual(['seal/manifest']);
    expect(await send(handle, await said(status, 'kim'))).toMatchObject({ ok: true, steps: ['gates/ship'] });
    const last = await endOf(handle);
    expect(last.verdict?.verdict).toBe('released');
    expect(last.steps[1]).toMatchObject({ state: 'done', attempt: 1, note: 'approved by kim (core)' });
    expect(done).toEqual(['seal/manifest', 'publish/index']);
    const result = await around.store.read<{ facts: unknown }>(records.result(status.run, 'gates/ship'));
    expect(result?.facts).toMatchObject({
      manifest: gateOf(status).manifest,
      approvals: [{ by: 'kim', group: 'core' }],
    });
  });
});

test('given invalid approvals and a rejection, then each has a code, the rejection holds, and the audit has all', async () => {
  const skeleton = await aRelease('1.1', { self: false });
  const done: string[] = [];
  const worker = await workerOf(skeleton, sealing('A', done));
  await worker.runUntil(async () => {
    const handle = await start(skeleton, 'lee');
    const status = await until(handle, 'at gate');
    const other = `sha256:${'0b'.repeat(32)}`;
    const good = await said(status, 'kim');
    const actions: readonly (readonly [unknown, string])[] = [
      [await said(status, 'stranger'), 'KEY_NOT_LISTED'],
      [await said(status, 'stranger', { by: 'kim' }), 'KEY_NOT_LISTED'],
      [await said(status, 'lee'), 'OWN_APPROVAL'],
      [await said(status, 'lee', { by: 'ann' }), 'OWN_APPROVAL'],
      [{ ...good, signature: undefined }, 'APPROVAL_NOT_SIGNED'],
      [{ ...good, signature: 'nonsense' }, 'SIGNATURE_BAD'],
      [{ ...good, by: 'ann' }, 'SIGNATURE_BAD'],
      [{ ...good, expires: new Date(Date.now() + 9e9).toISOString() }, 'SIGNATURE_BAD'],
      [{ ...good, action: 'reject', reason: 'no' }, 'SIGNATURE_BAD'],
      [await said(status, 'kim', { manifest: other }), 'APPROVAL_VOID'],
      [{ ...good, gate: '$(id)' }, 'GATE_UNKNOWN'],
      [await said(status, 'kim', { expires: '2001-01-01T00:00:00Z' }), 'APPROVAL_EXPIRED'],
      [await said(status, 'kim', { action: 'reject', reason: 'wrong notes' } as never), 'ok'],
      [good, 'GATE_NOT_WAITING'],
    ];
    for (const [action, code] of actions) expect([code, codeOf(await send(handle, action))]).toEqual([code, code]);
    const held = await until(handle, 'held');
    expect(held.steps[1]).toMatchObject({ state: 'held', problems: [{ code: 'GATE_REJECTED' }] });
    expect(done).toEqual(['seal/manifest']);
    await send(handle, { action: 'retry', step: 'gates/ship' });
    await send(handle, await said(await until(handle, 'at gate'), 'kim', { reason: 'notes mended' }));
    await endOf(handle);
    await handle.result();
    const audit = await auditOf(status.run);
    expect(audit.map(({ answer }) => codeOf(answer))).toEqual([...actions.map(([, code]) => code), 'ok', 'ok']);
  });
});

test('given an approval of other bytes in an earlier run, then it is void and the gate says why', async () => {
  const skeleton = await aRelease('1.2', { quorum: 2 });
  const first = await workerOf(skeleton, sealing('A', []));
  const before = await first.runUntil(async () => {
    const handle = await start(skeleton);
    const status = await until(handle, 'at gate');
    await send(handle, await said(status, 'kim'));
    expect(gateOf(await until(handle, 'at gate')).approvals).toMatchObject([{ by: 'kim', verified: true }]);
    await handle.signal('cancel', { reason: 'superseded' });
    await handle.result().catch(() => undefined);
    return { status, action: await said(status, 'lee') };
  });
  const second = await workerOf(skeleton, sealing('B', []));
  await second.runUntil(async () => {
    const handle = await start(skeleton);
    const status = await until(handle, 'at gate');
    expect(gateOf(status).manifest).not.toBe(gateOf(before.status).manifest);
    expect(gateOf(status)).toMatchObject({
      approvals: [],
      void: [{ by: 'kim', manifest: gateOf(before.status).manifest }],
    });
    expect(status.steps[1]!.because).toMatch(/void: kim approved [0-9a-f]{12}, this is [0-9a-f]{12}/);
    const answer = await send(handle, before.action);
    expect(answer).toMatchObject({ ok: false, problem: { code: 'APPROVAL_VOID' } });
    await handle.signal('cancel', {});
    await handle.result().catch(() => undefined);
  });
});

test('given a gate where signatures are optional, then an unsigned approval counts and is shown as unverified', async () => {
  const skeleton = await aRelease('1.3', { signed: 'optional', quorum: 2 });
  const worker = await workerOf(skeleton, sealing('A', []));
  await worker.runUntil(async () => {
    const handle = await start(skeleton);
    const { manifest } = gateOf(await until(handle, 'at gate'));
    await handle.signal('approve', { gate: 'ship', manifest, by: 'ann' });
    await send(handle, { action: 'note', reason: 'after it' });
    for (;;) {
      const { approvals } = gateOf(await until(handle, 'at gate'));
      if (approvals.length === 0) continue;
      expect(approvals).toMatchObject([{ by: 'ann', verified: false }]);
      break;
    }
    await send(handle, await said(await until(handle, 'at gate'), 'kim'));
    const status = await endOf(handle);
    expect(status.steps[1]!.note).toBe('approved by ann (unverified), kim (core)');
  });
});

test('given a hundred forged approvals, then few activities verify them, and each is refused', async () => {
  const skeleton = await aRelease('1.5', {});
  const worker = await workerOf(skeleton, sealing('A', []));
  await worker.runUntil(async () => {
    const handle = await start(skeleton);
    const status = await until(handle, 'at gate');
    const { manifest } = gateOf(status);
    const forged = { gate: 'ship', manifest, by: 'kim', signature: 'x'.repeat(3000) };
    await Promise.all(Array.from({ length: 100 }, () => handle.signal('approve', forged)));
    await send(handle, await said(status, 'kim'));
    await endOf(handle);
    await handle.result();
    const audit = await auditOf(status.run);
    expect(audit.map(({ answer }) => codeOf(answer)).sort()).toEqual([
      ...Array<string>(100).fill('SIGNATURE_BAD'),
      'ok',
    ]);
    const { events } = await handle.fetchHistory();
    const vetted = events!.filter(
      ({ activityTaskScheduledEventAttributes: asked }) => asked?.activityType?.name === 'verifyApprovals',
    );
    expect(vetted.length).toBeLessThan(20);
  });
});

test('given a soak time, then a timer of the run ends it', async () => {
  const skeleton = await aRelease('1.4', { approvers: [], quorum: 0, soakMs: 500 });
  const worker = await workerOf(skeleton, sealing('A', []));
  await worker.runUntil(async () => {
    const handle = await start(skeleton);
    const status = await endOf(handle);
    expect(status.steps[1]!.note).toBe('its time is over');
    const { events } = await handle.fetchHistory();
    expect(events!.filter(({ timerFiredEventAttributes }) => timerFiredEventAttributes)).toHaveLength(1);
  });
});
