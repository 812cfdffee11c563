import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { fail } from '../../model/failure.js';
import { BEAT_MS } from '../../model/heartbeat.js';
import { metricsPortTaken } from '../errors.js';

/** Installs Temporal's runtime: its messages go through pino, stopping.ts handles signals, and its page of metrics is served at the
 * address. Throws METRICS_PORT_TAKEN.
 * @param address null: no page, and every counter does nothing */
export function installRuntime(log: Logger, address: string | null): void {
  const logger = new DefaultLogger('INFO', ({ level, message, meta }) => {
    const write = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
    log[write[level]](meta ?? {}, message);
  });
  const options = { logger, shutdownSignals: [], workerHeartbeatInterval: BEAT_MS };
  if (address === null) return void Runtime.install(options);
  try {
    Runtime.install({ ...options, telemetryOptions: { metrics: pageAt(address) } });
  } catch (error) {
    throw fail(metricsPortTaken(address, (error as Error).message), error);
  }
}

/** Names are as Prometheus asks for them: `…_total`, `…_seconds`. */
const pageAt = (bindAddress: string) =>
  ({
    prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
    attachServiceName: false,
  }) as const;
