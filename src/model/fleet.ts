import type * as schema from './schema/fleet.js';
import type { Infer } from './schema/infer.js';

/** Machines of a simulation. */
export type Fleet = Infer<typeof schema.Fleet>;
export type Crew = Fleet['queues'][string];
