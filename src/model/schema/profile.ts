import { z } from 'zod';
import { ABILITIES } from '../worker.js';
import { LastDay, Name, Secret } from './scalars.js';
import { withKeys } from './target-schemas.js';
import { TARGET_KINDS } from '../target-kinds.js';

const ProfileTarget = withKeys('key of a target in a profile', 'profile', {
  address: z
    .string()
    .min(1)
    .describe(
      'service:NAME, an address, or for python a repository name that twine knows. simple: an absolute folder, or s3://bucket/prefix.',
    ),
  username: z.string().optional().describe('A name, or where it is found, as a password.'),
  password: Secret.optional().describe('$NAME, file:/path or command:LINE, looked up by the worker.'),
  undo: z.string().min(1).optional().describe('How a published name is taken back there: yank, delete, irrevocable.'),
  endpoint: z.string().min(1).optional().describe('s3, simple: a server that is not AWS, http://127.0.0.1:7070.'),
  maxFileMiB: z.number().positive().optional().describe('Largest file that it takes; told before anything goes out.'),
  maxTotalMiB: z.number().positive().optional().describe('Room that one release may take there.'),
  reads: z
    .string()
    .min(1)
    .optional()
    .describe(
      'central: the Maven repository in which published files are read. python: the simple index, where it is not beside the address. simple: the address that serves the folder or bucket.',
    ),
  realm: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "oci: the registry's token server, where it is on another host than the registry: it gets the credential.",
    ),
});

/** `config/profiles/NAME.yaml`: addresses and credentials behind the targets' names. */
export const Profile = z.strictObject({
  rehearsal: z
    .boolean()
    .describe('A rehearsal passes every gate; all of its targets are on this machine. Its verdict is "rehearsed".'),
  kinds: z
    .partialRecord(z.enum(TARGET_KINDS), z.strictObject(ProfileTarget))
    .default({})
    .describe('Targets of a kind that have no row of their own.'),
  registry: z
    .string()
    .regex(
      /^(service:[a-z0-9-]+|(\[[0-9a-f:.]+\]|[A-Za-z0-9.-]+)(:\d{1,5})?(\/[a-z0-9._-]+)*)$/,
      'a registry is HOST, HOST:PORT, HOST/FOLDER or service:NAME, without http://',
    )
    .optional()
    .describe(
      'The registry of images of `bases` that name none: HOST:PORT, HOST/FOLDER, service:registry. It gets no credential of the plan.',
    ),
  targets: z
    .record(Name, z.strictObject({ ...ProfileTarget, kind: z.enum(TARGET_KINDS) }))
    .default({})
    .describe('Targets by the name that the release file uses.'),
  wheels: z
    .record(
      Name,
      z.strictObject({
        address: z.string().min(1).optional().describe('What {wheels} stands for in `from.at`.'),
        forks: z
          .string()
          .min(1)
          .optional()
          .describe('Where the wheels of forks are: as `from.at`, with {owner} besides.'),
      }),
    )
    .default({})
    .describe('Where wheels are that a release takes, by their names in the release file.'),
  reports: z
    .record(
      Name,
      z.strictObject({
        address: z
          .string()
          .min(1)
          .describe(
            'github: the API of an own server, https://github.example/api/v3. postgres: $NAME, file:/path or command:LINE of postgres://user:password@host/database.',
          ),
      }),
    )
    .default({})
    .describe('Servers of reports, by their names in the release file.'),
  clusters: z
    .record(
      Name,
      z.strictObject({
        address: z
          .url({ protocol: /^https?$/ })
          .optional()
          .describe('jobs: the dashboard of a Ray that runs, http://HOST:8265.'),
        hosts: z
          .array(
            z
              .string()
              .regex(/^[A-Za-z0-9_][A-Za-z0-9_.@:-]*$/, 'a host is user@host, or a name of the ssh configuration'),
          )
          .min(1)
          .optional()
          .describe('ssh: its hosts, the head first.'),
        ray: z
          .string()
          .startsWith('/')
          .optional()
          .describe('ssh: folder of a virtual environment with Ray on each host.'),
        config: z.string().startsWith('/').optional().describe('ssh: a configuration of ssh on the worker.'),
      }),
    )
    .default({})
    .describe('Where clusters are, by their names in the release file.'),
  attest: z
    .strictObject({
      key: Secret.describe(
        '$NAME, file:/path or command:LINE: an ECDSA P-256 private key as PEM, which signs where the products come from.',
      ),
    })
    .optional()
    .describe('Who signs the statement of provenance; without it the statement is made and not signed.'),
});
export type Profile = z.infer<typeof Profile>;
export type ProfileTarget = z.infer<z.ZodObject<typeof ProfileTarget>>;

/** `config/queues.yaml`: kinds of machines. */
export const Queues = z.record(
  Name,
  z.strictObject({
    window: z.int().min(1).max(10_000).describe('Steps that may be under way at once.'),
    diskMiB: z.int().min(0).default(2048).describe('Free disk that prove asks for.'),
    can: z
      .array(z.enum(ABILITIES))
      .min(1)
      .default(['host', 'container'])
      .describe('What its workers do: commands, containers, what is for another machine.'),
    tools: z.array(Name).default([]).describe('Tools without which a worker of it does not start.'),
  }),
);
export type Queues = z.infer<typeof Queues>;

export const Floor = z
  .string()
  .regex(/^(0|[1-9]\d*)\.(0|[1-9]\d*)$/, 'a floor is a version of two numbers: 2.17, 11.0');

const platform = {
  queue: Name.describe('Queue that builds for it unless `on:` says otherwise.'),
  native: Name.describe('Its folder in JARs: {native}.'),
  wheel: z.string().min(1).describe('Pattern of its tag in wheel names.'),
  os: Name.describe('linux, macos, windows.'),
  arch: Name.describe('As the machine itself says: x86_64, aarch64, arm64.'),
  oci: z
    .string()
    .regex(/^[a-z0-9]+\/[a-z0-9]+(\/[a-z0-9]+)?$/, 'an OCI platform is os/architecture: linux/arm64')
    .describe('Platform of its images; none where there are no containers of it.'),
  accelerator: Name.describe('What its machines have besides: none, cuda.'),
};

/** `config/platforms.yaml`: what artifacts are for. */
export const Platforms = z.record(
  Name,
  z.strictObject({
    ...platform,
    libc: z
      .strictObject({ name: z.enum(['glibc', 'musl', 'macos']), floor: Floor })
      .optional()
      .describe(
        "The oldest C library, or system, that it promises to run on; none: whatever the builder's machine gives.",
      ),
    oci: platform.oci.optional(),
    accelerator: platform.accelerator.default('none'),
  }),
);
export type Platforms = z.infer<typeof Platforms>;

/** Platform keys of a release file. They adjust a platform of config/platforms.yaml, or define another one `like` it. */
export const adjusted = {
  like: Name.optional().describe('A platform of config/platforms.yaml that this one is like, but for what follows.'),
  libc: Floor.optional().describe(
    "The oldest C library (macOS: system) it promises to run on, '2.17'; wheels then carry exactly this tag.",
  ),
  until: LastDay.optional().describe('Last day on which an import of lists wants wheels for it.'),
  queue: platform.queue.optional(),
  native: platform.native.optional(),
  wheel: platform.wheel.optional(),
  os: platform.os.optional(),
  arch: platform.arch.optional(),
  oci: platform.oci.optional(),
  accelerator: platform.accelerator.optional(),
};
