import { middle } from '../measure.mjs';
import { row } from '../rows.mjs';

/** The median of some times as a row; how far they spread goes to whoever watches. */
export function rowOf({ note }, name, times, against = {}) {
  note(`${name}: ${times.length} times, ${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)} ms`);
  return row(name, middle(times), 'ms', against);
}
