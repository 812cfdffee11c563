import fc from 'fast-check';
import { approved, counting, lookAgainMs, mayPass } from '../../../src/engine/gates/gate-rules.js';
import { aGate, anApproval, aRule } from '../a-gate.js';
import { law } from './law.js';

const sayings = fc.array(
  fc.record({
    name: fc.constantFrom('kim', 'lee', 'ann', 'bo'),
    untilMs: fc.integer({ min: 0, max: 100 }),
    signed: fc.boolean(),
  }),
);

const quorum = law({
  id: 'gates/quorum',
  says: 'given any approvals, then a quorum counts each approver at most once, and no expired approval',
  runs: 100,
  worlds: fc.record({ said: sayings, nowMs: fc.nat(100) }),
  holds: ({ said, nowMs }) => {
    const gate = said.reduce(
      (now, { name, untilMs, signed }) => approved(now, anApproval(name, untilMs, signed)),
      aGate(),
    );
    const count = counting(gate, nowMs);
    expect(new Set(count.map(({ by }) => by)).size).toBe(count.length);
    expect(count.every(({ by, untilMs }) => untilMs > nowMs && said.some((one) => one.name === by))).toBe(true);
    for (const needed of [1, 2, 3])
      expect(mayPass(aRule({ quorum: needed }), { ...gate, openedAtMs: 0 }, nowMs)).toBe(count.length >= needed);
  },
});

const lookAgain = law({
  id: 'gates/look-again',
  says: 'given a closed gate, then it names the time when it may open or an approval expires',
  runs: 100,
  worlds: fc.record({ said: sayings, soakMs: fc.nat(100), nowMs: fc.nat(100) }),
  holds: ({ said, soakMs, nowMs }) => {
    const rules = aRule({ quorum: 2, soakMs });
    const gate = said.reduce((now, one) => approved(now, anApproval(one.name, one.untilMs)), aGate({ openedAtMs: 0 }));
    const again = lookAgainMs(rules, gate, nowMs) ?? 10_000;
    expect(again).toBeGreaterThan(nowMs);
    for (let at = nowMs + 1; at < Math.min(again, 250); at++)
      expect(mayPass(rules, gate, at)).toBe(mayPass(rules, gate, nowMs));
  },
});

export const gates = [quorum, lookAgain];
