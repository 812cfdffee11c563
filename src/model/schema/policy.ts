import { z } from 'zod';
import { ISOLATIONS } from '../isolation.js';
import { RECEIVER_KINDS } from '../policy/place.js';
import { Duration, Name, Secret } from './scalars.js';
import { TARGET_KINDS } from '../target-kinds.js';

const PublicKey = z
  .string()
  .regex(
    /^(ssh-|ecdsa-sha2-|sk-)[A-Za-z0-9@.-]+ [A-Za-z0-9+/]+=*( [^\n]*)?$/,
    'a key is one line as `ssh-keygen` leaves it in a .pub file: type, key, comment',
  );

const Ref = z
  .string()
  .regex(/^[A-Za-z0-9_*][A-Za-z0-9_.*/+-]*$/, 'a branch or tag is its name, with * for anything but "/": release/*');
const Refs = z.array(Ref).min(1, 'a list without a name allows nothing: leave it out, or name one');

const Required = z.strictObject({
  approvers: z.array(Name).min(1, 'a gate names at least one group').describe('Groups whose keys count.'),
  quorum: z
    .int()
    .min(1)
    .max(50)
    .describe('Approvals by different keys that it takes. Two listed keys of one person count twice.'),
});

const from = {
  branches: Refs.optional().describe('Branches that the commit may be on.'),
  tags: Refs.optional().describe('Tags that may stand on the commit; `repository` tells them.'),
};

const Row = z.strictObject({
  kind: z
    .enum([...TARGET_KINDS, ...RECEIVER_KINDS])
    .describe(
      'Kind of target; jobs and ssh: clusters, github and postgres: reports, webhook: announcements, messages.',
    ),
  address: z
    .string()
    .min(1)
    .describe(
      'Its address and all that is below it. Of oci and github with the repository: registry.example/team. The longest row counts.',
    ),
  endpoint: z.string().min(1).optional().describe('s3: the server that is not AWS.'),
  config: z.string().startsWith('/').optional().describe('ssh: its configuration, as the profile writes it.'),
  realm: z.string().min(1).optional().describe('oci: the token server on another host, as the profile writes it.'),
  secrets: z
    .array(Secret)
    .default([])
    .describe('References to secrets of the worker, as a plan writes them, that only its targets may use.'),
  gates: z.record(Name, Required).default({}).describe('Gates that a plan must pass before, by name.'),
  ...from,
});

/** `policy.yaml` of a control worker: limits on publishing from it, whatever a release file says. */
export const Policy = z
  .strictObject({
    policy: z.literal(1).describe('Version of this format.'),
    approvers: z
      .record(Name, z.array(PublicKey).min(1, 'a group has at least one key'))
      .default({})
      .describe(
        'OpenSSH public keys by group, one of each person. Only these count, whatever keys a release file lists.',
      ),
    ...from,
    repository: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Where the worker asks by git which branches and tags have the commit. Without it the plan says which branch.',
      ),
    expires: Duration.default(72 * 3_600_000).describe('Longest time that an approval may count; 72h unless told.'),
    isolation: z
      .enum(['any', ...ISOLATIONS])
      .default('any')
      .describe('Lowest isolation that products may be built in; `any` asks for none.'),
    secrets: z
      .array(Secret)
      .default([])
      .describe(
        'The same for everything: keys that sign, announcements, messages. A release file may send these anywhere.',
      ),
    publish: z.array(Row).default([]).describe('Where to; loopback and `service:` may be published to without a row.'),
  })
  .superRefine((policy, context) => {
    const complain = (path: readonly (string | number)[], message: string): void =>
      context.addIssue({ code: 'custom', path: [...path], message });
    for (const [index, row] of policy.publish.entries()) {
      const at = ['publish', index] as const;
      const idle = ['gates', 'secrets', 'branches', 'tags'].filter(
        (key) => Object.keys(row[key as 'gates'] ?? {}).length > 0,
      );
      if (idle.length > 0 && RECEIVER_KINDS.some((kind) => kind === row.kind))
        complain([...at, idle[0]!], `a row of kind ${row.kind} has no ${idle[0]}: only targets have`);
      for (const [gate, { approvers, quorum }] of Object.entries(row.gates)) {
        const strange = approvers.filter((group) => !Object.hasOwn(policy.approvers, group));
        for (const group of strange)
          complain([...at, 'gates', gate, 'approvers'], `there is no group ${JSON.stringify(group)} under approvers`);
        const keys = new Set(approvers.flatMap((group) => policy.approvers[group] ?? []).map(blobOf));
        if (strange.length === 0 && keys.size < quorum)
          complain([...at, 'gates', gate, 'quorum'], `${quorum} approvals of ${keys.size} keys can never be had`);
      }
      if (row.tags !== undefined && policy.repository === undefined) complain([...at, 'tags'], TAGS_NEED_ONE);
    }
    if (policy.tags !== undefined && policy.repository === undefined) complain(['tags'], TAGS_NEED_ONE);
  });
export type Policy = z.infer<typeof Policy>;
export type PolicyRow = Policy['publish'][number];

const TAGS_NEED_ONE = 'tags are known by asking: name the `repository`';
const blobOf = (line: string): string => line.split(' ')[1]!;
