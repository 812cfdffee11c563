import type { Plan } from '../model/plan.js';
import { TAKEN } from '../model/rows.js';
import type { Input } from './command.js';
import type { Ports } from './ports.js';

/** More tests than this are asked about. */
const MOST_UNASKED = 5;

/** Asks a person whether a typed filter may start so many imported tests. Returns false for a no. */
export async function mayStartTests(plan: Plan, options: Input['options'], ports: Ports): Promise<boolean> {
  if (options['where'] === undefined || options['yes'] === true) return true;
  const count = (plan.imports?.of ?? []).reduce((sum, { counts }) => sum + (counts[TAKEN] ?? 0), 0);
  if (count <= MOST_UNASKED) return true;
  return (await ports.confirm(`--where takes ${count} tests. Start them? [y/N] `)) !== false;
}
