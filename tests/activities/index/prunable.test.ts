import { assertPrunable } from '../../../src/activities/policy/prunable.js';
import { Policy } from '../../../src/model/schema/policy.js';
import type { PolicyFile } from '../../../src/plan/policy/judge.js';
import { aTarget, codesOf } from '../publish/release.js';

const policyOf = (content: object | null) => ({
  path: 'policy.yaml',
  read: async () =>
    content === null ? null : ({ content: Policy.parse(content), at: () => ({}) } as unknown as PolicyFile),
  refsOf: async () => ({ branches: [], tags: [] }),
});
const judged = (address: string, content: object | null, rehearsal = false): Promise<unknown> =>
  assertPrunable(
    { policy: policyOf(content), hosts: { lookUp: async () => ['127.0.0.1'] } },
    {
      target: aTarget({
        name: 'cache',
        kind: 'simple',
        address,
        extra: { kind: 'simple', reads: null, endpoint: null },
      }),
      release: { name: 'boats', version: '1' },
      profile: { name: 'live', rehearsal },
    },
    address,
  ).then(() => 'allowed', codesOf);

const policy = (more: object = {}) => ({ policy: 1, publish: [{ kind: 'simple', address: '/srv/wheels', ...more }] });

test.each<[string, string, object | null, boolean, unknown]>([
  ['a row covers the address', '/srv/wheels/debian', policy(), false, 'allowed'],
  ['a row names branches: a prune builds nothing', '/srv/wheels', policy({ branches: ['main'] }), false, 'allowed'],
  ['it is the service of this machine', 'http://127.0.0.1:8082/', null, false, 'allowed'],
  ['it is that service, in a rehearsal', 'http://127.0.0.1:8082/', null, true, 'allowed'],
  ['there is no policy', '/srv/wheels', null, false, ['POLICY_MISSING']],
  ['no row covers it', '/etc', policy(), false, ['POLICY_ADDRESS']],
  ['it is a folder, in a rehearsal', '/srv/wheels', policy(), true, ['REHEARSAL_ELSEWHERE']],
])('given an order to prune, when %s, then the answer is fixed', async (_, address, content, rehearsal, expected) => {
  expect(await judged(address, content, rehearsal)).toEqual(expected);
});

test('given a row with gates, when an index behind them is pruned, then it is refused: a prune has no approvals', async () => {
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGk0 ann';
  const gates = { ship: { approvers: ['team'], quorum: 1 } };
  expect(await judged('/srv/wheels', { ...policy({ gates }), approvers: { team: [key] } })).toEqual(['PRUNE_GATED']);
});
