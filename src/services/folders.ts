import { join } from 'node:path';

/** Where under SLIPWAY_HOME the services keep their things. */
export const servicesFile = (home: string): string => join(home, 'services.json');
export const portsFile = (home: string): string => join(home, 'ports.json');
/** What the supervisor is doing right now; `up` reads it for progress. */
export const statusFile = (home: string): string => join(home, 'supervisor.json');
/** Who supervises: held by hard link, so that there is never a second one. */
export const lockFile = (home: string): string => join(home, 'supervisor.lock');
/** Every process started and not yet ended, by pid and start time. */
export const processesFile = (home: string): string => join(home, 'processes.json');
export const secretsFolder = (home: string): string => join(home, 'secrets');
export const readyFile = (home: string, worker: string): string => join(home, 'workers', `${worker}.ready`);
export const logFile = (home: string, name: string): string => join(home, 'log', `${name}.log`);
export const accessLogFile = (home: string, name: string): string => join(home, 'log', `${name}-access.log`);
