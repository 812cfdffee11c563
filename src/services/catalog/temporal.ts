import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namesIn } from '../../adapters/folder-entries.js';
import { doorFolder } from '../../adapters/home.js';
import { serverEnv } from '../../adapters/temporal/server-env.js';
import { fail } from '../../model/failure.js';
import { WORKFLOW_TASK_LIMIT } from '../../model/messages.js';
import { openRunsInOldDatabase, searchAttributesMissing, toolsMissing } from '../errors.js';
import { logFile } from '../folders.js';
import { heldPorts } from '../listen.js';
import { withNginx } from '../namespace.js';
import { run } from '../run.js';
import { plain, type Service } from '../service.js';
import type { Context } from './context.js';
import { prepareDoor } from './door.js';
import { CODEC_PATH } from './page-proxy.js';

/** Must exist before a run uses them: an unregistered attribute blocks its workflow task for ever. */
export const SEARCH_ATTRIBUTES = { SlipwayRelease: 'Keyword', SlipwayState: 'Keyword', SlipwayHeld: 'Int' } as const;

/** A payload has at most 1.4 MB, for a status of 20,000 steps; the rest is for encryption. A run's history takes 30
 * MB; the rest is for signals. Over 128 MB a history page exceeds gRPC's limit, and workers end. */
export const LIMITS = { 'limit.blobSize.error': 1_572_864, 'limit.historySize.error': 100_000_000 };

/** The server gives each attempt of a workflow task after the third more time, by default up to ten minutes. A worker may
 * never answer such an attempt, and the run is idle meanwhile: by this value at most 60 s longer. A lower value costs more:
 * a task that needs the time would be repeated for ever. */
export const LOST_TASK = { 'history.workflowTaskRetryMaxInterval': '"60s"' };

/** Measured on server 1.32: chains of steps 6.7 times as fast, exact priority, no hanging run at 10,000 signals. */
export const DYNAMIC_CONFIG = {
  // Disables the HTTP API, which would accept a start from a page of any site. No request has this host.
  'frontend.httpAllowedHosts': '["no-host.invalid"]',
  'history.transferProcessorMaxPollRPS': 5000,
  'history.timerProcessorMaxPollRPS': 5000,
  // By default a timer or a retry that begins within a second of another may come up to a second late.
  'history.timerProcessorMaxTimeShift': '"10ms"',
  'history.maximumSignalsPerExecution': 1_000_000,
  // For runs that the Temporal UI starts, which sends no limit, as well as for bisects and index writers.
  'history.defaultWorkflowTaskTimeout': `"${WORKFLOW_TASK_LIMIT}"`,
  ...LIMITS,
  ...LOST_TASK,
  // `slipway workers` and queue monitoring need these: they show live workers even if all slots are in use.
  'frontend.WorkerHeartbeatsEnabled': true,
  'frontend.ListWorkersEnabled': true,
  'matching.enableFairness': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
};
/** Makes a durable file as fast as memory. */
const PRAGMAS = ['journal_mode=wal', 'synchronous=1'];

/** Temporal's development server with its web page, behind the home's door. Both are in a namespace where this machine
 * has one: the door's sockets are the only way in. The database file is named after the version that wrote it. */
export function temporal(context: Context, version: string, sealed: boolean): Service {
  const { ports, home } = context;
  const cli = join(context.toolsBin, 'temporal');
  const door = doorFolder(home);
  const database = join(home, 'temporal', `${version}.db`);
  const log = logFile(home, 'temporal');
  const address = `127.0.0.1:${ports.temporal}`;
  const held = heldPorts([
    ...(sealed ? ([[ports.temporal, 'Temporal']] as const) : []),
    [ports.ui, "Temporal's web page"],
  ]);
  return {
    ...plain,
    name: 'temporal',
    prepare: async (onRenewed) => {
      await refuseOldRuns(context, version);
      mkdirSync(dirname(database), { recursive: true });
      if (prepareDoor(context, sealed)) onRenewed();
      await held.open();
    },
    launch: () => ({
      argv: withNginx(door, log, [cli, ...serverArguments(context, database)], sealed),
      ...held.launch(),
    }),
    answers: async () => (await run(cli, ['operator', 'cluster', 'health'], 5_000, serverEnv(home))).code === 0,
    settle: async () => {
      const missing = await missingAttributes(cli, home);
      await Promise.all(missing.map((name) => registerAttribute(cli, home, name)));
      if (missing.length === 0) return;
      const still = await missingAttributes(cli, home);
      if (still.length > 0) throw fail(searchAttributesMissing(still));
    },
    state: (pid) => ({
      ...{ pid, address, page: `http://127.0.0.1:${ports.ui}`, log },
      ...(sealed && { certificates: door }),
    }),
  };
}

/** Arguments after the program; tests and benches start other servers with them. */
export function serverArguments({ ports }: Pick<Context, 'ports'>, database: string): readonly string[] {
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(ports.temporal)],
    ...['--ui-ip', '127.0.0.1', '--ui-port', String(ports.page), '--ui-codec-endpoint', CODEC_PATH],
    ...['--db-filename', database, '--log-level', 'warn', '--ui-disable-news-fetch'],
    ...PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
    ...Object.entries(DYNAMIC_CONFIG).flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
  ];
}

/** Version of the command line tool, which names the database. */
export async function temporalVersion(toolsBin: string): Promise<string> {
  const cli = join(toolsBin, 'temporal');
  const { code, stdout } = await run(cli, ['--version']);
  const version = /version (\S+)/.exec(stdout)?.[1];
  if (code !== 0 || version === undefined) throw fail(toolsMissing(cli));
  return version;
}

export async function missingAttributes(cli: string, home: string): Promise<readonly string[]> {
  const { stdout } = await run(cli, ['operator', 'search-attribute', 'list'], 30_000, serverEnv(home));
  return Object.entries(SEARCH_ATTRIBUTES)
    .filter(([name, type]) => !new RegExp(`\\b${name}\\s+${type}\\b`).test(stdout))
    .map(([name]) => name);
}

async function registerAttribute(cli: string, home: string, name: string): Promise<void> {
  const type = SEARCH_ATTRIBUTES[name as keyof typeof SEARCH_ATTRIBUTES];
  await run(cli, ['operator', 'search-attribute', 'create', '--name', name, '--type', type], 30_000, serverEnv(home));
}

/** Databases of other versions, whose runs this version does not see. */
export const oldDatabases = (home: string, version: string): readonly string[] =>
  namesIn(join(home, 'temporal'))
    .filter((file) => file.endsWith('.db') && file !== `${version}.db`)
    .sort();

/** Counts open runs in the development server's visibility table (status 1), without the server's own. */
const COUNT_OPEN = `import sqlite3, sys
db = sqlite3.connect('file:' + sys.argv[1] + '?mode=ro', uri=True)
print(db.execute("select count(*) from executions_visibility where status = 1 and workflow_type_name not like 'temporal-sys-%'").fetchone()[0])`;

async function refuseOldRuns({ home, toolsBin }: Context, version: string): Promise<void> {
  for (const file of oldDatabases(home, version)) {
    const path = join(home, 'temporal', file);
    const { code, stdout } = await run(join(toolsBin, 'python'), ['-c', COUNT_OPEN, encodeURI(path)]);
    const open = Number(stdout.trim());
    if (code === 0 && open > 0) throw fail(openRunsInOldDatabase(path, open));
  }
}
