import { createWritePages, type WritingPorts } from '../../../src/activities/index/write-pages.js';
import { assertAddressListed } from '../../../src/activities/policy/judged-addresses.js';
import { createTargets } from '../../../src/adapters/targets.js';
import { Policy } from '../../../src/model/schema/policy.js';
import type { ListRequest } from '../../../src/model/index-writer.js';
import type { Plan, Step } from '../../../src/model/plan.js';
import type { PolicyFile } from '../../../src/plan/policy/judge.js';
import { aPlan, aStep } from '../../support/run-body.js';
import { aTarget, codesOf } from '../publish/release.js';
import { aFolder, listedIn, NO_ORDERS, PLATFORM, put, wheel } from './an-index.js';

const target = (address: string) =>
  aTarget({ name: 'cache', kind: 'simple', address, extra: { kind: 'simple', reads: null, endpoint: null } });
const planAt = (address: string): Plan => {
  const steps = [
    aStep('publishArtifacts', { target: target(address), of: [], tags: [] }, { id: 'publish/cache' }),
    aStep('publishArtifacts', { target: aTarget({}), of: [], tags: [] }, { id: 'publish/index' }),
  ];
  return { ...aPlan(), steps: steps as unknown as readonly Step[] };
};
/** A plan's digest is the folder of its index here. */
const ports: WritingPorts = {
  planOf: async (digest) => planAt(digest),
  connect: async (_, { params }) => ({
    ...{ ...params.target, extra: params.target.extra ?? null },
    ...{ staging: null, secrets: {}, version: '1' },
  }),
  targets: createTargets(),
  ...NO_ORDERS,
};
const asked = (root: string, names: readonly string[], step = 'publish/cache'): ListRequest => ({
  ...{ plan: root as ListRequest['plan'], step, run: 'a-run', names },
});

test('given requests for two indexes, when they are drawn together, then each gets its own pages', async () => {
  const [one, two] = [aFolder(), aFolder()];
  await put(one.place, wheel('boat', '1'));
  await put(two.place, wheel('skiff', '1'));
  const requests = [asked(one.root, [`${PLATFORM}/boat`]), asked(two.root, [`${PLATFORM}/skiff`])];
  expect(await createWritePages(ports)({ requests })).toEqual({ outcomes: [{ findings: [] }, { findings: [] }] });
  expect([listedIn(one.root, 'boat').length, listedIn(two.root, 'skiff').length]).toEqual([1, 1]);
  expect(listedIn(one.root, 'skiff')).toEqual([]);
});

test('given a platform that cannot be drawn, when others are asked for too, then those are drawn', async () => {
  const { root, place } = aFolder();
  await put(place, wheel('boat', '1'));
  await place.create('broken/entries', 'a file where a folder should be');
  const requests = [asked(root, ['broken/boat']), asked(root, [`${PLATFORM}/boat`])];
  const { outcomes } = await createWritePages(ports)({ requests });
  expect(outcomes).toMatchObject([{ problems: [{ code: 'INDEX_BROKEN' }] }, { findings: [] }]);
  expect(listedIn(root, 'boat')).toHaveLength(1);
});

test('given a damaged entry, when several projects are drawn, then only its own publisher is told', async () => {
  const { root, place } = aFolder();
  for (const project of ['boat', 'skiff']) await put(place, wheel(project, '1'));
  await place.create(`${PLATFORM}/entries/boat/${wheel('boat', '2')}.json`, '{');
  const requests = ['boat', 'skiff'].map((project) => asked(root, [`${PLATFORM}/${project}`]));
  const { outcomes } = await createWritePages(ports)({ requests });
  expect(outcomes).toMatchObject([{ findings: [{ code: 'INDEX_ENTRY_DAMAGED' }] }, { findings: [] }]);
});

test.each(['publish/index', 'publish/nothing'])(
  'given the step %s, when pages are asked for, then it is refused',
  async (step) => {
    const { root } = aFolder();
    const { outcomes } = await createWritePages(ports)({ requests: [asked(root, [`${PLATFORM}/boat`], step)] });
    expect(outcomes).toMatchObject([{ problems: [{ code: 'INDEX_STEP_UNKNOWN' }] }]);
  },
);

describe('given a signed plan that names the folder of an index', () => {
  const policyOf = (content: object | null) => ({
    path: 'policy.yaml',
    read: async () =>
      content === null ? null : ({ content: Policy.parse(content), at: () => ({}) } as unknown as PolicyFile),
    refsOf: async () => ({ branches: [], tags: [] }),
  });
  const listed = (address: string, content: object | null, rehearsal = false): Promise<unknown> =>
    assertAddressListed(
      { policy: policyOf(content), hosts: { lookUp: async () => ['127.0.0.1'] } },
      { ...aPlan(), profile: { name: 'live', rehearsal } },
      { ...target(address), planned: address },
    ).then(() => 'allowed', codesOf);
  const row = { policy: 1, publish: [{ kind: 'simple', address: '/srv/wheels' }] };

  test.each([
    ['a row of the policy covers it', '/srv/wheels/debian', row, 'allowed'],
    ['it is the service of this machine', 'http://127.0.0.1:8082/', null, 'allowed'],
    ['there is no policy', '/srv/wheels', null, ['POLICY_MISSING']],
    ['no row covers it', '/etc', row, ['POLICY_ADDRESS']],
    ['only its beginning is the same', '/srv/wheels-of-others', row, ['POLICY_ADDRESS']],
  ])('when %s, then the writer acts by it', async (_, address, content, expected) => {
    expect(await listed(address, content)).toEqual(expected);
  });

  test('when it is a rehearsal, then a folder that may be served to others is refused', async () => {
    expect(await listed('/srv/wheels', row, true)).toEqual(['REHEARSAL_ELSEWHERE']);
  });
});
