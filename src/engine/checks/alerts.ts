import type { Json } from '../../model/json.js';
import type { Alert } from '../../model/tests/cluster.js';

/** Name of the value that is the age of the result in seconds. */
const AGE_VALUE = 'last_update_age';

/** Judges bounds on values of a result. Returns one sentence for each value that is out of its bounds or absent. Pure.
 * @param ageS age of the result in seconds, by the clock of the head */
export function trippedAlerts(alerts: readonly Alert[], result: Json, ageS: number): readonly string[] {
  return alerts.flatMap((alert) => {
    const found = valueAt(result, alert.value);
    const value = found === undefined && alert.value === AGE_VALUE ? ageS : found;
    return value === undefined ? [`${alert.value} is absent`] : outOfBounds(alert, value);
  });
}

function outOfBounds({ value: path, atMost, atLeast, equals }: Alert, value: Json): readonly string[] {
  const shown = `${path} is ${JSON.stringify(value)}`;
  const bounds = atMost !== undefined || atLeast !== undefined;
  if (bounds && typeof value !== 'number') return [`${shown}, which is no number`];
  return [
    ...(atMost !== undefined && (value as number) > atMost ? [`${shown}, at most ${atMost} passes`] : []),
    ...(atLeast !== undefined && (value as number) < atLeast ? [`${shown}, at least ${atLeast} passes`] : []),
    ...(equals !== undefined && value !== equals ? [`${shown}, only ${JSON.stringify(equals)} passes`] : []),
  ];
}

/** Returns the value at a path of names with dots between. A name may itself hold dots. */
function valueAt(value: Json, path: string): Json | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const map = value as Readonly<Record<string, Json>>;
  if (Object.hasOwn(map, path)) return map[path];
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const [name, rest] = [path.slice(0, dot), path.slice(dot + 1)];
    const found = Object.hasOwn(map, name) ? valueAt(map[name]!, rest) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
