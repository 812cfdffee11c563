import { z } from 'zod';
import { Duration, Name, Secret } from '../../../model/schema/scalars.js';

/** Roles of a repository, the strongest first. */
export const PERMISSIONS = ['admin', 'maintain', 'write', 'triage'] as const;

const Login = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/, 'a login holds letters, digits and "-"');
const Text = z.string().min(1).max(200, 'it has at most 200 characters');

/** What `/test NAME` starts. */
export const HookJob = z.strictObject({
  file: Text.describe('Release file: a pipeline, or a release with a profile of rehearsals. Relative to this file.'),
  profile: Name.default('local').describe('The profile that it is planned with.'),
  presets: z.array(Text).default([]).describe('Presets of each run. Those of the comment come behind.'),
  args: z
    .enum(['presets', 'project presets', 'cluster presets', 'cluster project presets', 'none'])
    .default('presets')
    .describe('Meaning of the words behind the name. Where a comment has /project or /cluster, that word is left out.'),
  project: Text.optional().describe('The setting that /project gives: project.name. Absent: it takes no project.'),
  cluster: Text.optional().describe('The setting that /cluster gives: cluster.name. Absent: it takes no cluster.'),
});
export type HookJob = z.infer<typeof HookJob>;

/** `hooks.yaml` of a home: which comments of which repository start what, and for whom. */
export const Hooks = z
  .strictObject({
    hooks: z.literal(1).describe('Version of this format.'),
    repository: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/, 'a repository is owner/name')
      .describe('The one whose comments are read.'),
    address: z
      .string()
      .regex(
        /^https?:\/\/[^\s@?#]+[^\s@?#/]$/,
        'an address is https:// and a host, without a name, a query or "/" at its end',
      )
      .default('https://api.github.com')
      .describe('The API. Of an own server: https://github.example/api/v3.'),
    git: Text.optional().describe('Where git fetches pull requests. Absent: the repository at the host of `address`.'),
    token: Secret.describe('Reference to a token that reads pull requests and writes comments.'),
    secret: Secret.optional().describe('Reference to the secret of the webhook: $NAME or file:PATH. Absent: no door.'),
    port: z.int().min(1024).max(65_535).optional().describe('Port of the door on this machine. Absent: a free one.'),
    poll: z
      .union([z.literal('off'), Duration])
      .default(5 * 60_000)
      .describe('How often comments are asked for, besides deliveries; 5m unless told.'),
    allow: z
      .union([
        z.strictObject({ permission: z.enum(PERMISSIONS) }),
        z.array(Login).min(1, 'an empty list allows nobody'),
      ])
      .default({ permission: 'write' })
      .describe('Who may start runs: those with this permission or a stronger one, or these logins.'),
    forks: z
      .enum(['refuse', 'allow'])
      .default('refuse')
      .describe('Pull requests of other repositories. Their code runs on your machines.'),
    others: z
      .array(z.string().regex(/^\/\S/, 'it begins with "/"'))
      .default([])
      .describe('How lines for other robots begin: /lgtm, /test e2e. They are passed over.'),
    jobs: z.record(Name, HookJob).describe('What comments may start, by the name that they write.'),
  })
  .superRefine(({ secret, poll, jobs }, context) => {
    const complain = (path: string[], message: string): void => context.addIssue({ code: 'custom', path, message });
    if (secret === undefined && poll === 'off') complain(['poll'], 'without "secret" comments come by poll alone');
    if (Object.keys(jobs).length === 0) complain(['jobs'], 'without a job no comment starts anything');
    for (const [name, { args, ...job }] of Object.entries(jobs))
      for (const word of ['project', 'cluster'] as const)
        if (args.includes(word) && job[word] === undefined)
          complain(['jobs', name, 'args'], `args has ${word}: write the setting that it gives as "${word}"`);
  });
export type Hooks = z.infer<typeof Hooks>;
