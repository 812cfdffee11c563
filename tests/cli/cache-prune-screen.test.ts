import { colours } from '../../src/cli/render/paint.js';
import { appliedLines, reviewLines } from '../../src/cli/screens/cache-prune.js';
import { judgeWheels } from '../../src/engine/index/prune/judge.js';
import { reviewOf, secondLook } from '../../src/engine/index/prune/review.js';
import { NO_USE, useKey } from '../../src/model/index-use.js';
import type { PruneOrder } from '../../src/model/index-prune.js';
import { digest } from '../engine/index/an-entry.js';
import { ago, facts, indexed, NOW, PLATFORM, want, wheelFile } from '../engine/index/prune/a-prune.js';
import { expectGolden } from '../support/golden.js';

const plainly = colours(false);
const wheels = ['1.0', '2.0', '3.0'].map((version) => indexed(wheelFile(version)));
const use = {
  ...NO_USE,
  read: [{ from: ago(100), to: ago(0) }],
  fetched: { [useKey(PLATFORM, wheelFile('2.0'))]: ago(95), [useKey(PLATFORM, wheelFile('3.0'))]: ago(9) },
};
const all = { wheels, use, wants: [want('upstream')] };
const about = { pipeline: 'distro-wheels', profile: 'local', target: 'cache', at: NOW, rules: facts().rules };
const judged = judgeWheels(facts(all));
const review = reviewOf(about, judged);
const shown = { digest: digest('a'), review, judged, use, due: ['20261130T024000Z'], file: 'slipway.yaml' };

test('given candidates, wheels that stay and bytes that wait, when a review is shown, then all have their reason', () => {
  expectGolden('cli/cache-prune.txt', `${reviewLines(shown, plainly).join('\n')}\n`);
});

test('given nothing to remove, when a review is shown, then no command to apply it is offered', () => {
  const none = reviewOf(about, new Map());
  const lines = reviewLines({ ...shown, review: none, judged: new Map(), use: NO_USE, due: [] }, plainly);
  expect(lines.join('\n')).not.toContain('--apply');
  expect(lines).toContain('To remove  nothing');
});

test('given a wheel that was fetched meanwhile, when the review was applied, then both parts are shown', () => {
  const fetched = { ...use.fetched, [useKey(PLATFORM, wheelFile('2.0'))]: ago(0) };
  const look = secondLook(review, judgeWheels(facts({ ...all, use: { ...use, fetched } })));
  const order = {
    at: NOW,
    graceMs: facts().rules.graceMs,
    remove: look.remove,
    stay: look.stay,
  } as unknown as PruneOrder;
  const record = 'prunes/distro-wheels/local/cache/000001';
  const text = appliedLines({ record, order, look, findings: [] }, plainly).join('\n');
  expectGolden('cli/cache-prune-applied.txt', `${text}\n`);
});
