/** @long @needs temporal ssh */
import type { ApprovalScope, GateAction } from '../../src/model/gate.js';
import {
  aRelease,
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
} from '../workflows/a-gated-run.js';

playGates();

/** The same signature in an armour of other line lengths. */
function rewrapped(action: GateAction): GateAction {
  const [begin, ...lines] = action.signature!.trim().split('\n');
  const end = lines.pop()!;
  const signature = [begin, ...lines.join('').match(/.{1,41}/g)!, end].join('\n');
  return { ...action, signature };
}

test('[H6] given a withdrawn approval, then it does not count again, however its armour is wrapped', async () => {
  const skeleton = await aRelease('2.0', { quorum: 2 });
  const worker = await workerOf(skeleton, sealing('A', []));
  await worker.runUntil(async () => {
    const handle = await start(skeleton);
    const status = await until(handle, 'at gate');
    const yes = await said(status, 'kim');
    expect(codeOf(await send(handle, yes))).toBe('ok');
    const no = await said(status, 'kim', { action: 'reject', reason: 'wrong notes' } as never);
    expect(codeOf(await send(handle, no))).toBe('ok');
    await until(handle, 'held');
    await send(handle, { action: 'retry', step: 'gates/ship' });
    const again = await until(handle, 'at gate');
    for (const action of [yes, rewrapped(yes)]) expect(codeOf(await send(handle, action))).toBe('SIGNATURE_BAD');
    expect(gateOf(await until(handle, 'at gate')).approvals).toEqual([]);

    for (const by of ['kim', 'lee'] as const) expect(codeOf(await send(handle, await said(again, by)))).toBe('ok');
    expect((await endOf(handle)).verdict?.verdict).toBe('released');
  });
});

test('[H6] given one signed text, then it is one approval, also in another armour or with another signature', async () => {
  const skeleton = await aRelease('2.1', { quorum: 2 });
  const worker = await workerOf(skeleton, sealing('A', []));
  await worker.runUntil(async () => {
    const handle = await start(skeleton);
    const status = await until(handle, 'at gate');
    const expires = new Date(Date.now() + 60_000).toISOString();
    const [first, second] = [await said(status, 'lee', { expires }), await said(status, 'lee', { expires })];
    expect(first.signature).not.toBe(second.signature); // ECDSA signs with chance
    const codes = [];
    for (const action of [first, first, rewrapped(first), second]) codes.push(codeOf(await send(handle, action)));
    expect(codes).toEqual(['ok', 'APPROVAL_USED', 'APPROVAL_USED', 'APPROVAL_USED']);
    expect(gateOf(await until(handle, 'at gate')).approvals).toHaveLength(1);

    expect(codeOf(await send(handle, await said(status, 'kim')))).toBe('ok');
    expect((await endOf(handle)).verdict?.verdict).toBe('released');
  });
});

test('[H6] given an approval of something else, then it is refused, and the right one is accepted', async () => {
  const skeleton = await aRelease('2.2', {});
  const worker = await workerOf(skeleton, sealing('A', []));
  await worker.runUntil(async () => {
    const handle = await start(skeleton);
    const status = await until(handle, 'at gate');
    const [target] = gateOf(status).targets;
    const others: readonly Partial<ApprovalScope>[] = [
      { profile: 'staging' },
      { plan: `sha256:${'0'.repeat(64)}` as const },
      { targets: [{ ...target!, address: 'https://elsewhere.example/' }] },
      { targets: [{ ...target!, kind: 'maven' }] },
      { targets: [] },
      { run: '0123456789abcdef' },
      { workflow: 'release/thing/2.1' },
      { nonce: '0'.repeat(32) },
    ];
    for (const scope of others)
      expect([scope, codeOf(await send(handle, await said(status, 'kim', {}, scope)))]).toEqual([
        scope,
        'SIGNATURE_BAD',
      ]);
    const elsewhere = await said(status, 'kim', { gate: 'other' });
    expect(codeOf(await send(handle, { ...elsewhere, gate: 'ship' }))).toBe('SIGNATURE_BAD');

    expect(codeOf(await send(handle, await said(status, 'kim')))).toBe('ok');
    expect((await endOf(handle)).verdict?.verdict).toBe('released');
  });
});
