import { X509Certificate } from 'node:crypto';
import type { Connection } from '@temporalio/client';
import type { ServerSettings } from '../adapters/temporal/settings.js';
import { isRefused } from '../client/ask.js';
import { fail } from '../model/failure.js';
import { CONTROL, WORKFLOWS, type Queue } from '../model/ids.js';
import { roleRefused } from './errors.js';

/** Less than the 2 s that each poll must have: a server that lets the role serve the queue refuses the poll by that, and gives no task. */
const TOO_SHORT_MS = 1_000;

type Asked = Pick<Connection, 'withDeadline'> & {
  readonly workflowService: Pick<Connection['workflowService'], 'pollActivityTaskQueue' | 'pollWorkflowTaskQueue'>;
};

/** Asks whether the server lets this certificate serve a queue; null is the one of workflows. A worker whose polls are refused goes on
 * polling, and says nothing. Throws WORKER_ROLE_REFUSED. */
export async function assertRole(
  connection: Asked,
  { address, namespace, tls }: ServerSettings,
  queue: Queue | null,
): Promise<void> {
  const { workflowService: service } = connection;
  const poll = { namespace, taskQueue: { name: queue ?? CONTROL } };
  const asked = (): Promise<unknown> =>
    queue === null ? service.pollWorkflowTaskQueue(poll) : service.pollActivityTaskQueue(poll);
  await connection.withDeadline(Date.now() + TOO_SHORT_MS, asked).catch((error: unknown) => {
    if (isRefused(error)) throw fail(roleRefused(address, nameOf(tls), queue ?? WORKFLOWS), error);
  });
}

/** Returns the role of the certificate that the worker shows. Null if it shows none. */
function nameOf(tls: ServerSettings['tls']): string | null {
  const pair = tls === undefined || tls === true ? undefined : tls.clientCertPair;
  return pair === undefined ? null : (/^CN=(.*)$/m.exec(new X509Certificate(pair.crt).subject)?.[1] ?? 'no role');
}
