import { aSkeleton, type Rough } from './a-skeleton.js';
import { Driven } from './drive.js';

const KINDS = {
  wheels: { kind: 'buildWheel', stage: 'wheels' },
  verify: { kind: 'verifyTarget', stage: 'verify' },
} as const;

/** Two wheels, each listed as it is built, and a check of the list that only wants them. */
const cache = (over: Partial<Rough> = {}, check: Partial<Rough> = {}): readonly Rough[] => [
  { id: 'wheels/broken', ...KINDS.wheels, onFailure: 'tell', ...over },
  { id: 'wheels/sound', ...KINDS.wheels, onFailure: 'tell' },
  { id: 'publish/broken', kind: 'publishArtifacts', stage: 'publish', needs: [0], onFailure: 'tell' },
  { id: 'publish/sound', kind: 'publishArtifacts', stage: 'publish', needs: [1], onFailure: 'tell' },
  { id: 'verify/cache', ...KINDS.verify, wants: [0, 1, 2, 3], onFailure: 'tell', ...check },
];

function driven(steps: readonly Rough[], engine = 4): Driven {
  const it = new Driven(aSkeleton(steps, { pipeline: true }), { onFailure: 'hold', engine });
  it.next();
  return it;
}

function played(it: Driven): Driven {
  it.failed('wheels/broken', 'product');
  it.done('wheels/sound');
  it.done('publish/sound');
  return it;
}

test('given a told failure, then steps that need it are skipped, and a step that only wants it and them starts', () => {
  const it = played(driven(cache()));
  expect(it.states()).toEqual({
    ...{ 'wheels/broken': 'failed', 'publish/broken': 'skipped' },
    ...{ 'wheels/sound': 'done', 'publish/sound': 'done', 'verify/cache': 'running' },
  });
  expect(it.done('verify/cache')).toContain('end failed');
  expect(it.scheduler.ended!.reasons).toEqual(['wheels/broken: make exited with 2']);
});

test.each([
  ['is tolerated', { tolerate: 'jailed until Friday' }, 'skipped'],
  ['only stops its siblings', { onFailure: 'stop' }, 'failed'],
] as const)('given a failure that %s, then the step behind it is as before', (_, over, state) => {
  const it = played(driven(cache(over)));
  expect(it.states()['wheels/broken']).toBe(state);
  expect(it.states()['verify/cache']).toBe(state === 'skipped' ? 'running' : 'skipped');
});

test('given an operator left a step out, then a step that only wants it starts', () => {
  const it = driven(cache({ needs: [1] }));
  it.action({ action: 'skip', step: 'wheels/broken', reason: 'not today' });
  it.done('wheels/sound');
  expect(it.done('publish/sound')).toContain('start verify/cache');
});

test.each(['assembleIndex', 'sealManifest', 'publishArtifacts', 'movePointer', 'announceRelease'] as const)(
  'given a told failure, when a step of kind %s wants it, then it is skipped: it relies on all that it wants',
  (kind) => {
    const it = played(driven(cache({}, { kind })));
    expect(it.states()['verify/cache']).toBe('skipped');
  },
);

test('given a failed proof, then no step starts without it', () => {
  const it = driven([
    { id: 'prove/queue/linux', kind: 'proveQueue', stage: 'prove', onFailure: 'tell' },
    { id: 'wheels/a', ...KINDS.wheels, wants: [0], onFailure: 'tell' },
    { id: 'verify/cache', ...KINDS.verify, wants: [1], onFailure: 'tell' },
  ]);
  it.failed('prove/queue/linux', 'product');
  expect(it.states()).toMatchObject({ 'wheels/a': 'skipped', 'verify/cache': 'skipped' });
});

test('given a step without `tell` failed in a run that holds nothing, then steps that want it are skipped', () => {
  const steps = cache().map(({ onFailure: _, ...step }) => step);
  const it = new Driven(aSkeleton(steps), { onFailure: 'fail', engine: 4 });
  it.next();
  expect(played(it).states()['verify/cache']).toBe('skipped');
});

test('given a step went on without a told failure, when that is retried from, then the step runs again behind it', () => {
  const it = played(driven([...cache(), { id: 'steps/slow', onFailure: 'tell' }]));
  it.done('verify/cache');
  it.action({ action: 'retry', from: 'wheels/broken' });
  expect(it.states()).toMatchObject({ 'wheels/broken': 'running', 'verify/cache': 'waiting' });
  it.done('wheels/broken');
  expect(it.done('publish/broken')).toContain('start verify/cache');
});

test('given the rules of engine 3, then a step that wants a told failure is skipped', () => {
  expect(played(driven(cache(), 3)).states()['verify/cache']).toBe('skipped');
});

test('given a run of engine 3 continues as new, then the rest of it follows the newest rules', () => {
  const it = driven(cache(), 3);
  it.done('wheels/sound');
  const { scheduler, skeleton } = it;
  const next = new Driven(skeleton, { onFailure: 'hold' }, scheduler.snapshot());
  next.failed('wheels/broken', 'product');
  next.done('publish/sound');
  expect(next.states()['verify/cache']).toBe('running');
});
