import { join } from 'node:path';
import type { ServicesState, ServiceState } from '../services/state.js';
import { readJson } from './json-file.js';

/** A service of a home. Reads the file each time: a restart may change the ports. Null: the service is not up, or there is no home. */
export const serviceOf = (home: string | null, name: string): ServiceState | null =>
  (home === null ? null : servicesOf(home))?.services[name] ?? null;

export const servicesOf = (home: string): ServicesState | null => readJson<ServicesState>(join(home, 'services.json'));
