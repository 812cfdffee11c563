import { z } from 'zod';
import { frame, known, retryFailed } from '../frame.js';
import { Cutoff, DebianPackage, Duration, Env, InnerPath, LastDay, Name, PythonTag } from '../scalars.js';

const Branch = z
  .string()
  .max(200, 'a branch has at most 200 characters')
  .regex(/^[A-Za-z0-9*][A-Za-z0-9._/+*-]*$/, 'a branch is named as git names it; * stands for anything but /');

const For = z
  .record(Name, z.array(PythonTag).min(1, 'name at least one Python'))
  .describe('Pythons for each platform: { debian-12: [cp311] }.');

const Project = z
  .string()
  .regex(
    /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/,
    'a project is named as the index names it: letters, digits, ".", "_" and "-"',
  );
const Projects = z.array(Project).max(10_000, 'at most 10,000');

const Reason = z.string().min(3, 'say why');

const Row = z.strictObject({
  branch: Branch.describe('A branch; * stands for anything but /.'),
  newest: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('Only the newest ones of the branches: letter names by alphabet, then dated ones by number.'),
  for: For,
  until: LastDay.optional().describe('Last day on which wheels are built for it.'),
});

const Recipe = z.strictObject({
  packages: z.array(DebianPackage).default([]).describe('Debian packages that its build needs.'),
  build: z
    .array(z.string().min(1))
    .default([])
    .describe('Build requirements besides those of its backend: setuptools<80.'),
  env: Env.default({}).describe('Variables of its build.'),
});

const Known = z.strictObject({
  wheel: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*(==\S+)?$/, 'a wheel is name or name==version')
    .describe('name or name==version.'),
  on: z.array(Name).min(1).optional().describe('Platforms on which it fails; by default all.'),
  ...known,
});

/** `wheels: { NAME: { import: wheel-list } }` */
export const WheelList = z
  .strictObject({
    import: z.literal('wheel-list').describe('wheel-list: wheels that lists of requirements want and the index lacks.'),
    git: z
      .string()
      .min(1)
      .optional()
      .describe('Repository of the list: a path beside the release file, or an address. Only commits are read.'),
    file: InnerPath.optional().describe('The list: a constraints or requirements file of each branch.'),
    bindep: InnerPath.optional().describe(
      'A bindep file of each branch: its packages of the profile compile are in the bases that name the import.',
    ),
    rows: z.array(Row).max(200, 'at most 200').default([]).describe('Which branches are kept, and for which targets.'),
    ignore: z.record(Branch, Reason).default({}).describe('Branches that no row is for, with the reason.'),
    wants: z
      .array(z.string().min(1))
      .max(1000, 'at most 1000')
      .default([])
      .describe('Requirements besides: lxml>=5,<7. A range means the newest version that fits.'),
    for: For.optional().describe('Targets of `wants`.'),
    never: Projects.default([]).describe('Projects that are never built.'),
    only: Projects.optional().describe('The only projects that are built; by default all of the lists.'),
    with: z
      .record(z.string().min(1), Recipe)
      .default({})
      .describe('How single wheels are built, by name or name==version.'),
    system: z
      .enum(['link', 'carry'])
      .default('link')
      .describe(
        "link: wheels use the distribution's libraries, and their tag is linux_x86_64. carry: auditwheel copies those libraries into the wheel, which then has a manylinux tag.",
      ),
    pure: z
      .enum(['publish', 'skip'])
      .default('publish')
      .describe(
        'publish: wheels without code for a platform are built and published like others. skip: an sdist whose build gave such a wheel before is left to pip.',
      ),
    known: z.array(Known).max(1000, 'at most 1000').default([]).describe('Wheels that are known to fail.'),
    maxAge: Duration.prefault('6h').describe('How long answers of the index are used again without asking.'),
    cutoff: Cutoff.optional(),
    retryFailed,
    timeout: frame.timeout,
    when: frame.when,
    on: frame.on,
    unserved: frame.unserved,
    retry: frame.retry,
    onFailure: frame.onFailure,
  })
  .superRefine((entry, context) => {
    const complain = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    const { git, file, bindep, rows, wants } = entry;
    if (file === undefined && wants.length === 0)
      complain('file', 'name a list by `git` and `file`, or requirements by `wants`');
    if ((git === undefined) !== (file === undefined))
      complain(git === undefined ? 'git' : 'file', '`git` and `file` name a list together');
    if (bindep !== undefined && git === undefined) complain('git', '`bindep` is a file of the repository `git`');
    if (file !== undefined && rows.length === 0) complain('rows', 'name at least one branch of the list');
    if (wants.length > 0 && entry.for === undefined) complain('for', 'name the targets of `wants`');
  });
export type WheelList = z.infer<typeof WheelList>;
