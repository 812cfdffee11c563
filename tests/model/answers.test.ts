import { skeletonFault } from '../../src/engine/checkpoint/checkpoint-fault.js';
import * as answers from '../../src/model/answers.js';
import type { GateAction } from '../../src/model/gate.js';
import { aRule } from '../engine/a-gate.js';
import { aSkeleton } from '../engine/a-skeleton.js';

const MANIFEST = `sha256:${'5e'.repeat(32)}`;
const ENDING = { outcome: 'done', ms: 5, worker: 'control@box', note: 'done' };
const PROBLEM = { code: 'A_CODE', class: 'infra', message: 'why', next: 'what to do' };
const rules = aRule({ approvers: [{ group: 'core', key: 'keys/kim.pub' }] });
const signer = { fingerprint: 'SHA256:abc', group: 'core', key: 'keys/kim.pub', names: ['kim'] };
const action: GateAction = { action: 'approve', gate: 'ship', manifest: MANIFEST };
const vet = (actions: readonly GateAction[]) => answers.actionsVetted(actions, () => rules);
const signed: GateAction = { ...action, signature: 'S' };
const steps = [{ kind: 'buildWheel' }, { kind: 'passGate' }] as const;
const skeleton = aSkeleton([{ id: 'steps/a' }, { id: 'steps/b', needs: [0] }]);

test.each<[what: string, fault: string | null]>([
  ['an ending', answers.stepEnding(ENDING)],
  ['an ending of a newer worker', answers.stepEnding({ ...ENDING, more: 1 })],
  ['a gate that was opened', answers.gateOpened(MANIFEST)({ manifest: MANIFEST, earlier: [], targets: [] })],
  ['a signed action', vet([signed])([{ ok: true, signer }])],
  ['an unsigned action', vet([action])([{ ok: true, signer: null }])],
  ['a refused action', vet([signed])([{ ok: false, problem: PROBLEM }])],
  ['known steps', answers.workKnown(steps)({ found: [[0, 1, 'note']], unknown: [1] })],
  ['no known steps', answers.workKnown(steps)({ found: [], unknown: [] })],
  ['queues', answers.fleetSeen({ unserved: [{ queue: 'gpu', since: 1 }], slots: { control: 8 } })],
  ['a plan', skeletonFault(skeleton)],
])('given %s, then it is accepted', (_, fault) => {
  expect(fault).toBeNull();
});

test.each<[what: string, fault: string | null, because: string]>([
  ['nothing', answers.stepEnding(undefined), 'is no object'],
  ['another outcome', answers.stepEnding({ ...ENDING, outcome: 'failed' }), 'outcome is none of'],
  ['a time that is text', answers.stepEnding({ ...ENDING, ms: '5' }), 'ms is no number of milliseconds'],
  ['a note of 1 MB', answers.stepEnding({ ...ENDING, note: 'x'.repeat(1e6) }), 'note is a text of 1000000'],
  [
    'a gate about a path',
    answers.gateOpened(MANIFEST)({ manifest: '../x', earlier: [] }),
    'manifest is no SHA-256 digest',
  ],
  ['a missing action', vet([signed])([]), '0 entries for 1 actions'],
  [
    'a key that is not listed',
    vet([signed])([{ ok: true, signer: { ...signer, key: 'keys/me.pub' } }]),
    'names a signer',
  ],
  ['a problem without a message', vet([signed])([{ ok: false, problem: {} }]), 'ok is none of true'],
  ['a known gate', answers.workKnown(steps)({ found: [[1, 1, '']], unknown: [] }), 'step 1, which cannot be known'],
  ['an invalid known step', answers.workKnown(steps)({ found: [[7, 1, '']], unknown: [] }), 'step 7'],
  ['more unknown steps than there are', answers.workKnown(steps)({ found: [], unknown: [0, 1, 1] }), 'has 3 entries'],
  ['slots below zero', answers.fleetSeen({ unserved: [], slots: { control: -1 } }), 'is no whole number'],
  ['invalid problems', answers.problems([{}]), '[0].code is no text'],
  [
    'a plan of another kind',
    skeletonFault({ ...skeleton, steps: [{ ...skeleton.steps[0], kind: 'x' }] }),
    'kind is none of',
  ],
  [
    'an edge to a missing step',
    skeletonFault({ ...skeleton, steps: [{ ...skeleton.steps[0], needs: [9] }] }),
    'has an edge',
  ],
])('given %s, then it is refused', (_, fault, because) => {
  expect(fault).toContain(because);
});
