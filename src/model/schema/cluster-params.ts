import { z } from 'zod';
import { CLUSTER_CLIENTS } from '../tests/cluster.js';
import { maybe, text, texts, vars, words } from './command.js';

/** A line of a cluster test with its own time limit. */
export const LimitedLine = z.strictObject({ run: text, ...vars, limitMs: z.number().positive() });

/** One line of a manager that is a command; `$CLUSTER` holds the request as JSON. */
export const ClusterLines = z.strictObject({
  /** Makes the cluster. Its last line of output is JSON that later lines find in `$HANDLE`. */
  up: text,
  /** Prints a number: nodes that are alive, the head included. */
  nodes: text,
  /** Copies the folder `$FROM` to the folder `$TO` of the head. */
  put: text,
  /** Copies the folder `$FROM` of the head to the folder `$TO`. */
  get: text,
  /** Runs the script `$SCRIPT` of the head. Its exit status is the test's. */
  run: text,
  down: text,
  /** Follows the test `$JOB` that an earlier worker started. Its exit status is the test's. */
  attach: text.exactOptional(),
});

/** How the cluster of one attempt is made. */
export const Manager = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('local') }),
  z.strictObject({
    by: z.literal('docker'),
    /** Step of the image of the nodes. */
    base: text,
    memoryMiB: z.int().nullable(),
    /** Folder of Python and Ray in the image. Absent: the environment of the test is mounted. */
    ray: text.exactOptional(),
  }),
  z.strictObject({
    by: z.literal('ssh'),
    hosts: texts,
    /** Folder of a virtual environment with Ray on each host. */
    ray: text,
    config: maybe,
  }),
  z.strictObject({ by: z.literal('jobs'), address: text }),
  z.strictObject({ by: z.literal('command'), lines: ClusterLines }),
]);

export const Cluster = z.strictObject({
  name: text,
  manager: Manager,
  /** Nodes, the head included. */
  nodes: z.int().positive(),
  cpus: z.int().positive(),
  /** Time until all of its processes are started. */
  upMs: z.number().positive(),
});

/** A bound on one value of the result file. */
export const Alert = z.strictObject({
  /** Path into the result: names with dots between. `last_update_age` is the age of the file in seconds. */
  value: text,
  atMost: z.number().exactOptional(),
  atLeast: z.number().exactOptional(),
  equals: z.union([text, z.number(), z.boolean()]).exactOptional(),
});

/** Counted places of a group of tests; an attempt holds one. */
export const Pool = z.strictObject({ name: text, limit: z.int().positive() });

/** Parameters of a test on a cluster. */
export const ClusterTestShape = z.strictObject({
  /** Version or label of the run, part of the step key: another one tests again. */
  label: text,
  /** The original name, if the step's name differs. */
  title: maybe,
  cluster: Cluster,
  wait: z.strictObject({ nodes: z.int().positive(), forMs: z.number().positive() }),
  by: z.enum(CLUSTER_CLIENTS),
  prepare: LimitedLine.nullable(),
  test: LimitedLine,
  env: words,
  /** Working folder, relative to the source tree. Null: an empty folder. */
  folder: maybe,
  /** True if reaching the time limit is no failure. */
  long: z.boolean(),
  result: maybe,
  artifact: maybe,
  alerts: z.array(Alert),
  python: maybe,
  smoke: z.boolean(),
  pool: Pool.nullable(),
  owner: maybe,
  /** Texts that outcomes carry: `{ frequency: nightly, team: core }`. */
  about: words,
});
