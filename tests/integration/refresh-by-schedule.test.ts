/** @long @needs temporal registries sandbox */
import type { ReleaseClient } from '../../src/client/index.js';
import { connect } from '../../src/client/connect.js';
import type { RunStatus } from '../../src/model/messages.js';
import { snapshot } from '../activities/index/an-index.js';
import { until } from '../support/until.js';
import { aWheelCache, PLATFORMS, type WheelCache } from './a-wheel-cache.js';

let cache: WheelCache;
let client: ReleaseClient;
beforeAll(async () => {
  cache = await aWheelCache();
  client = await connect({ address: cache.env.address });
  for (const name of ['skiff', 'oars']) cache.project(name, '1.0');
  cache.commit('skiff==1.0\n');
});
afterAll(async () => {
  await client?.close();
  await cache?.close();
});

/** The next run of the schedule that has ended and fits. Nobody starts it.
 * @param after time of a run that came before it, in milliseconds since 1970 */
const ended = (after: number, fits: (status: RunStatus) => boolean): Promise<{ at: number; status: RunStatus }> =>
  until(async () => {
    const { last } = (await client.schedules.find('boats'))!;
    for (const { at, workflowId, run, verdict } of last.filter((one) => one.at > after)) {
      if (verdict === 'running' || verdict === 'unknown') continue;
      const status = await client.status(workflowId, run);
      if (fits(status)) return { at, status };
    }
    return null;
  });
const hasSteps = ({ steps }: RunStatus): boolean => steps.length > 0;
const hasNone = ({ steps }: RunStatus): boolean => steps.length === 0;

const changed = (
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] => Object.keys(after).filter((path) => after[path] !== before[path]);

test('given a schedule, when one line is committed, then by itself it asks about one project, fetches one source and lists one wheel for each target', async () => {
  // The command takes no interval below a minute, and a test is not to wait so long.
  const said = await cache.slipway('schedule', '--every', '1m');
  expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining('every 1m') });
  await client.schedules.put({ pipeline: 'boats', file: cache.file, profile: 'local', rhythm: { everyMs: 2_000 } });
  const first = await ended(0, hasSteps);
  expect(first.status.verdict).toEqual({ verdict: 'done', reasons: [] });
  const quiet = await ended(first.at, hasNone);
  expect(quiet.status.verdict!.reasons).toEqual(['nothing new: 2 here']);
  const [asked, pages] = [cache.upstream.asked.length, snapshot(cache.wheels.root)];

  cache.commit('skiff==1.0\noars==1.0\n');
  const second = await ended(quiet.at, hasSteps);
  expect(second.status.verdict).toEqual({ verdict: 'done', reasons: [] });
  const steps = second.status.steps.map(({ id }) => id).filter((id) => /^(source|wheels|publish)\//.test(id));
  expect(steps.toSorted()).toEqual([
    ...PLATFORMS.map((platform) => `publish/cache/wheels.oars-1.0.cp311.${platform}`),
    'source/oars-1.0',
    ...PLATFORMS.map((platform) => `wheels/oars-1.0/cp311/${platform}`),
  ]);
  // Planning asks for one page, and the fetch reads it again to find one sdist.
  const one = ['oars', 'oars', 'files'];
  expect(cache.upstream.asked.slice(asked)).toEqual(one);
  const after = snapshot(cache.wheels.root);
  const drawn = changed(pages, after).filter((path) => /\/simple\/.*index\.json$/.test(path));
  expect(drawn.toSorted()).toEqual(
    PLATFORMS.flatMap((platform) => [`${platform}/simple/index.json`, `${platform}/simple/oars/index.json`]),
  );

  const next = await ended(second.at, hasNone);
  expect(next.status.verdict).toEqual({ verdict: 'done', reasons: ['nothing new: 4 here'] });
  expect(cache.upstream.asked.slice(asked)).toEqual(one);
  expect(changed(after, snapshot(cache.wheels.root))).toEqual([]);
});
