import { z } from 'zod';
import { CLUSTER_CLIENTS } from '../../tests/cluster.js';
import { commanded, frame, narrowed } from '../frame.js';
import { Duration, Env, InnerPath, Name } from '../scalars.js';

const Line = z.string().min(1, 'a command is not empty');
const size = {
  nodes: z.int().min(1).max(1000).default(1).describe('Nodes, the head included.'),
  cpus: z.int().min(1).max(1024).default(1).describe('CPUs that each node offers.'),
  up: Duration.prefault('10m').describe('Limit of its start.'),
};

const LocalCluster = z.strictObject({
  manager: z
    .literal('local')
    .describe('Processes on the worker, in a sandbox of their own: node n has the address 127.0.0.n.'),
  ...size,
});
const DockerCluster = z.strictObject({
  manager: z.literal('docker').describe('A container for each node, on a network without a way out.'),
  ...size,
  base: Name.optional().describe(
    'A name in bases: the system below the interpreter of the test. A test that needs an image runs its nodes from the image instead.',
  ),
  memory: z
    .string()
    .regex(/^[1-9]\d{0,6}m$/, 'memory is a number of MiB: 1200m')
    .optional()
    .describe('Memory of each container: 1200m.'),
});
const SshCluster = z.strictObject({
  manager: z
    .literal('ssh')
    .describe('A node on each host that `clusters` of the profile lists, which has Ray already.'),
  ...size,
});
const JobsCluster = z.strictObject({
  manager: z.literal('jobs').describe('A Ray that runs already. All that a test does there is a job.'),
  nodes: size.nodes.describe('Nodes that a test waits for, the head included.'),
  address: z
    .url({ protocol: /^https?$/, error: 'an address is http://HOST:8265, that of the dashboard' })
    .optional()
    .describe('Its dashboard, http://HOST:8265. `clusters` of the profile may say it instead.'),
});
const CommandCluster = z.strictObject({
  manager: z.literal('command').describe('Six shell lines of yours. $CLUSTER holds the request as JSON.'),
  ...size,
  lines: z.strictObject({
    up: Line.describe('Makes the cluster. Its last line of output is JSON, which the other lines find in $HANDLE.'),
    nodes: Line.describe('Prints the number of nodes that are alive, the head included.'),
    put: Line.describe('Copies the folder $FROM to the folder $TO of the head.'),
    get: Line.describe('Copies the folder $FROM of the head to the folder $TO.'),
    run: Line.describe("Runs the script $SCRIPT on the head; its exit status is the test's."),
    down: Line.describe(
      'Ends the cluster, and removes the folder $TO of the head. It runs also after a failed start, and finds nothing then.',
    ),
    attach: Line.optional().describe(
      "Follows the test $JOB that an earlier worker started; its exit status is the test's. Without it a lost worker's cluster is removed.",
    ),
  }),
});

export const Cluster = z.union([LocalCluster, DockerCluster, SshCluster, JobsCluster, CommandCluster]);
export type Cluster = z.infer<typeof Cluster>;

const Bound = z.number().refine(Number.isFinite, 'a bound is a finite number');
const Alert = z
  .strictObject({
    value: z
      .string()
      .regex(/^[^.\s]+(\.[^.\s]+)*$/, 'a value is a path into the result: names with dots between')
      .describe('Path into the result: trial_states.TERMINATED. last_update_age is the age of the file in seconds.'),
    atMost: Bound.optional().describe('Largest value that passes.'),
    atLeast: Bound.optional().describe('Smallest value that passes.'),
    equals: z.union([z.string(), Bound, z.boolean()]).optional().describe('The only value that passes.'),
  })
  .refine(({ atMost, atLeast, equals }) => [atMost, atLeast, equals].some((bound) => bound !== undefined), {
    message: 'an alert has atMost, atLeast or equals',
  });

export const ClusterTest = z.strictObject({
  ...frame,
  ...narrowed,
  title: z.string().min(1).max(300).optional().describe('Its real name, where `Name` refuses that.'),
  cluster: Name.describe('A name in clusters. Each attempt gets a new one.'),
  wait: z
    .strictObject({
      nodes: z.int().min(1).describe('Nodes that must be alive, the head included.'),
      for: Duration.prefault('50m').describe('Limit of the wait.'),
    })
    .optional()
    .describe('Nodes that must be there before it starts; by default all of the cluster.'),
  by: z
    .enum(CLUSTER_CLIENTS)
    .default('job')
    .describe(
      'How it reaches the cluster. job: as a job that the head runs. command, sdk: on the head. client: from outside, by RAY_ADDRESS.',
    ),
  prepare: z
    .strictObject({
      run: Line.describe('A shell line on the head; the test does not start where it fails.'),
      timeout: Duration.optional().describe("Its limit; by default the test's."),
    })
    .optional()
    .describe('A line that runs before the test.'),
  run: Line.describe('A shell line for bash -x; {files} is the bundle.'),
  folder: InnerPath.optional().describe('Working folder inside the source tree; by default an empty one.'),
  long: z.boolean().default(false).describe('true: the end of the time limit is no failure, and alerts judge.'),
  result: InnerPath.optional().describe('A JSON file that it must write at $TEST_OUTPUT_JSON; kept under this name.'),
  artifact: z
    .string()
    .regex(/^(\/tmp\/)?(?!.*\.\.)[^/\0][^\0]*$/, 'an artifact is a path below the working folder or below /tmp')
    .optional()
    .describe('A further file that is kept: below the working folder, or below /tmp of the head.'),
  alerts: z.array(Alert).max(50, 'at most 50').default([]).describe('Bounds on values of the result.'),
  env: Env.default({}).describe(
    'Variables of its environment. $NAME alone is looked up on the worker, where SLIPWAY_BUILD_ENV lists it; $$NAME is the text $NAME.',
  ),
  tools: commanded.tools,
  pool: z
    .strictObject({
      name: Name.describe('Name of the group.'),
      limit: z.int().min(1).max(10_000).describe('Attempts of the group that run at once.'),
    })
    .optional()
    .describe('A group of tests that share places.'),
  owner: z.string().min(1).max(200).optional().describe('Who answers for it.'),
  smoke: z.boolean().default(false).describe('true: IS_SMOKE_TEST=1 is set.'),
  tags: z.record(z.string().min(1), z.string()).default({}).describe('Texts that its outcomes carry: team, frequency.'),
  repeat: z.int().min(1).max(100).default(1).describe('How often it runs: more than once makes the axis repeat.'),
});
export type ClusterTest = z.infer<typeof ClusterTest>;
