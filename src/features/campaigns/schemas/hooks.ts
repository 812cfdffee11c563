import { z } from 'zod';
import { Duration, Name, Secret } from '../../../model/schema/scalars.js';

/** Roles of a repository, the strongest first. */
export const PERMISSIONS = ['admin', 'maintain', 'write', 'triage'] as const;

const Login = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/, 'a login holds letters, digits and "-"');
const Path = z.string().min(1).max(200, 'a path has at most 200 characters');

/** One job: what `/test NAME` starts. */
export const HookJob = z.strictObject({
  file: z
    .string()
    .min(1)
    .describe(
      'Its release file: a pipeline, or a release whose profile is a rehearsal. A relative path is below this file.',
    ),
  profile: Name.default('local').describe('The profile that it is planned with.'),
  presets: z
    .array(z.string().min(1).max(200, 'a preset has at most 200 characters'))
    .default([])
    .describe('Presets that each run applies, before those of the comment.'),
  args: z
    .enum(['presets', 'project presets', 'cluster presets', 'cluster project presets', 'none'])
    .default('presets')
    .describe(
      'Meaning of the words behind the name. project and cluster are one word each, and fall out where the comment has /project or /cluster.',
    ),
  project: Path.optional().describe(
    'The setting that /project and its word give: project.name. Absent: it takes no project.',
  ),
  cluster: Path.optional().describe(
    'The setting that /cluster and its word give: cluster.name. Absent: it takes no cluster.',
  ),
});
export type HookJob = z.infer<typeof HookJob>;

/** `hooks.yaml` of a home: which comments of which repository start what, and for whom. */
export const Hooks = z
  .strictObject({
    hooks: z.literal(1).describe('Version of this format.'),
    repository: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+$/, 'a repository is owner/name')
      .describe('The one whose comments are read.'),
    address: z
      .url({ protocol: /^https?$/, error: 'an address begins with https://' })
      .default('https://api.github.com')
      .describe('The API: of an own server, https://github.example/api/v3.'),
    git: z
      .string()
      .min(1)
      .optional()
      .describe('Where git fetches commits of pull requests. Absent: the repository beside `address`, by https.'),
    token: Secret.optional().describe('Reference to a token that reads pull requests, and writes comments.'),
    app: z
      .strictObject({
        id: z
          .string()
          .regex(/^[A-Za-z0-9.]{1,40}$/, 'an id is digits, or the client id')
          .describe('Its id, quoted.'),
        installation: z
          .string()
          .regex(/^\d{1,20}$/, 'an installation is digits')
          .describe('Its id, quoted.'),
        key: Secret.describe('Reference to its private key, in PEM.'),
      })
      .optional()
      .describe('An app of GitHub, in place of `token`.'),
    secret: Secret.optional().describe(
      'Reference to the secret of the webhook. Absent: no door, and comments are polled.',
    ),
    port: z.int().min(1024).max(65_535).optional().describe('Port of the door on this machine. Absent: a free one.'),
    poll: z
      .union([z.literal('off'), Duration])
      .default(5 * 60_000)
      .describe('How often comments are asked for, besides deliveries; 5m unless told.'),
    allow: z
      .union([
        z.strictObject({ permission: z.enum(PERMISSIONS) }),
        z.array(Login).min(1, 'a list without a login allows nobody'),
      ])
      .default({ permission: 'write' })
      .describe('Who may start runs: those with this permission or a stronger one, or these logins.'),
    forks: z
      .enum(['refuse', 'allow'])
      .default('refuse')
      .describe('Pull requests from other repositories. Their code runs on your machines.'),
    others: z
      .array(z.string().regex(/^\/\S/, 'a command of others begins with "/"'))
      .default([])
      .describe('Lines of other robots, by their beginning: /lgtm, "/test e2e". They are passed over.'),
    jobs: z.record(Name, HookJob).describe('What comments may start, by the name that they write.'),
  })
  .superRefine((hooks, context) => {
    const complain = (path: readonly string[], message: string): void =>
      context.addIssue({ code: 'custom', path: [...path], message });
    if ((hooks.token === undefined) === (hooks.app === undefined))
      complain([], 'it has either "token" or "app": comments are read and written with one of them');
    if (hooks.secret === undefined && hooks.poll === 'off')
      complain(['poll'], 'without "secret" there is no door, so comments must be polled');
    if (Object.keys(hooks.jobs).length === 0) complain(['jobs'], 'without a job no comment starts anything');
    for (const [name, { args, ...job }] of Object.entries(hooks.jobs))
      for (const word of ['project', 'cluster'] as const)
        if (args.split(' ').includes(word) && job[word] === undefined)
          complain(['jobs', name, 'args'], `args has ${word}: write the setting that it gives as "${word}"`);
  });
export type Hooks = z.infer<typeof Hooks>;
