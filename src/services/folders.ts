import { join } from 'node:path';
import { doorFolder } from '../adapters/home.js';

export const servicesFile = (home: string): string => join(home, 'services.json');
export const portsFile = (home: string): string => join(home, 'ports.json');
/** Progress of the supervisor, which `up` displays. */
export const statusFile = (home: string): string => join(home, 'supervisor.json');
/** Lock of the supervisor, taken by hard link, so that there is only one. */
export const lockFile = (home: string): string => join(home, 'supervisor.lock');
/** Running process groups, by pid and start time. */
export const processesFile = (home: string): string => join(home, 'processes.json');
export const secretsFolder = (home: string): string => join(home, 'secrets');
export const readyFile = (home: string, worker: string): string => join(home, 'workers', `${worker}.ready`);
export const logFile = (home: string, name: string): string => join(home, 'log', `${name}.log`);
export const accessLogFile = (home: string, name: string): string => join(home, 'log', `${name}-access.log`);
export const pageKeyFile = (home: string): string => join(doorFolder(home), 'page.key');
