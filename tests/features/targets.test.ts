import type * as Zod from 'zod';
import type * as Kinds from '../../src/features/kinds.js';
import type * as Lists from '../../src/features/schemas.js';
import type { Target } from '../../src/model/target.js';
import type { TargetContext } from '../../src/model/schema/feature-schemas.js';
import { addressProblem } from '../../src/model/policy/address.js';
import { Policy } from '../../src/model/schema/policy.js';
import { planFault } from '../../src/model/schema/plan.js';
import { Profile } from '../../src/model/schema/profile.js';
import { targetsOf } from '../../src/engine/gates/targets.js';
import type { Facts } from '../../src/plan/facts.js';
import { covers } from '../../src/plan/policy/address.js';
import { policyDraft } from '../../src/plan/policy/draft.js';
import { HEAD, planOf, problemsOf, stepOf } from '../plan/a-plan.js';

jest.mock('../../src/features/kinds.js', () => ({
  FEATURE_KINDS: {
    ...jest.requireActual<typeof Kinds>('../../src/features/kinds.js').FEATURE_KINDS,
    sample: {
      targets: {
        shelf: {
          ...{ takes: ['wheel'], artifacts: ['wheel'], sections: 'wheels/', rank: 0.5, undo: 'take it off' },
          ...{ publishes: ['shelve'], verifies: [], installs: false, schemes: ['https', 'http'] },
        },
      },
    },
  },
}));
interface Row {
  readonly address?: string;
  readonly room?: string;
  readonly endpoint?: string | null;
}
jest.mock('../../src/features/schemas.js', () => {
  const { z } = jest.requireActual<typeof Zod>('zod');
  return {
    FEATURE_SCHEMAS: {
      ...jest.requireActual<typeof Lists>('../../src/features/schemas.js').FEATURE_SCHEMAS,
      sample: {
        targets: {
          shelf: {
            entry: { board: z.string().optional() },
            profile: { room: z.string().optional() },
            extra: z.strictObject({ kind: z.literal('shelf'), board: z.string(), endpoint: z.string().nullable() }),
            plan: (
              name: string,
              { board }: { board?: string },
              { address = '', room = 'hall', endpoint = null }: Row,
              context: TargetContext,
            ) => {
              if (address.startsWith('ftp:'))
                context.needsThat(['publish', name], `a shelf does not speak ${address}`, 'Write an http address.');
              const text = board ?? `${room}/{version}`;
              return { kind: 'shelf', board: context.text(text, {}, ['publish', name, 'board']), endpoint };
            },
          },
        },
      },
    },
  };
});

const FILE = `${HEAD}wheels: { skiff: {} }
publish:
  index: { kind: python, files: ['wheels/*'] }
  shelf: { kind: shelf, files: ['wheels/*'] }
`;
const at = (row: object, rehearsal = true): Partial<Facts> => ({
  profile: {
    name: 'own',
    content: Profile.parse({ rehearsal, kinds: { python: { address: 'service:index' }, shelf: row } }),
  },
});
const ELSEWHERE = at({ address: 'https://shelf.example/', endpoint: 'https://elsewhere.example' }, false);
const shelfIn = (facts: Partial<Facts>) =>
  (stepOf(planOf(FILE, facts), 'publish/shelf/wheels.skiff.cp311.linux-x86_64').params as { target: Target }).target;
const codes = (text: string, facts: Partial<Facts>) => problemsOf(text, facts).map(({ code }) => code);

test('given a kind of targets of a feature, then its entries are planned by its row and its schemas', () => {
  const made = planOf(FILE, at({ address: 'http://127.0.0.1:1/', room: 'loft' }));
  expect(planFault(made)).toBeNull();
  const { target } = stepOf(made, 'publish/shelf/wheels.skiff.cp311.linux-x86_64').params as { target: Target };
  expect(target.extra).toEqual({ kind: 'shelf', board: 'loft/1.0', endpoint: null });
  expect([...new Set(made.effects.map((one) => one.target))]).toEqual(['shelf', 'index']);
  expect(made.effects[0]).toMatchObject({ undo: 'take it off', name: 'skiff-1.0-cp311-cp311-*_x86_64.whl' });
  expect(stepOf(made, 'verify/shelf/cp311').on).toBe('control');
});

test.each([
  [
    'shelf: { kind: shelf, files: [',
    "shelf: { kind: shelf, path: '{file}', files: [",
    '"path" is for targets of kind s3',
  ],
  ['index: {', 'index: { board: x, ', '"board" is for targets of kind shelf, this one is python'],
  ['shelf: { kind: shelf', 'shelf: { kind: shelv', 'did you mean "shelf"?'],
])('given %s in place of %s, then its problem names the kind', (from, to, says) => {
  const [problem] = problemsOf(FILE.replace(from, to), at({ address: 'service:wheels' }));
  expect(problem!.message).toContain(says);
});

test('given an address that its kind does not speak, then its `plan` refuses it at its line, in a live profile too', () => {
  expect(problemsOf(FILE, at({ address: 'ftp://shelf.example' }, false))).toMatchObject([
    { code: 'WRONG_VALUE', message: 'a shelf does not speak ftp://shelf.example', place: { line: 9 } },
  ]);
});

test("given a second server of a feature's target, then rehearsals, policies, drafts and approvers see it", () => {
  expect(codes(FILE, at({ address: 'http://127.0.0.1/', endpoint: 'https://elsewhere.example' }))).toContain(
    'REHEARSAL_ELSEWHERE',
  );
  expect(codes(FILE, at({ address: 'https://shelf.example/' }))).toContain('REHEARSAL_ELSEWHERE');
  const shelf = shelfIn(ELSEWHERE);
  expect(
    addressProblem({ ...shelf, extra: { ...shelf.extra, endpoint: 'http://169.254.1.1' } as never }, false),
  ).toMatchObject({ code: 'ADDRESS_LINK_LOCAL' });
  const row = (more: object) =>
    Policy.parse({ policy: 1, publish: [{ kind: 'shelf', address: 'https://shelf.example', ...more }] }).publish[0]!;
  expect(covers(row({}), shelf)).toBe(0);
  expect(covers(row({ endpoint: 'https://elsewhere.example' }), shelf)).toBeGreaterThan(0);
  const plan = planOf(FILE, ELSEWHERE);
  expect(policyDraft({ file: 'slipway.yaml', plan, branches: [], keys: {} })).toContain(
    '    endpoint: "https://elsewhere.example"',
  );
  expect(targetsOf(plan, (address) => address)).toContainEqual({
    ...{ name: 'shelf', kind: 'shelf', repository: null },
    address: 'https://shelf.example/ on https://elsewhere.example',
  });
});
