import type { Json, JsonObject } from '../../../model/json.js';
import { lockOf } from './environment-files.js';
import { readLock } from './lock.js';

/** Fields of a spec in the lock that a plan was made from. @param params of its step @param facts of the plan */
export function lockFields({ hash, environment, file, lock = lockOf(String(file)) }: JsonObject, facts: JsonObject) {
  const { imports } = facts as { readonly imports?: Record<string, { readonly text?: Record<string, string> }> };
  const text = imports?.[String(environment)]?.text?.[String(lock)] ?? '';
  const node = readLock(text, String(file), () => undefined)?.specs.get(String(hash))?.node;
  if (node === undefined) return {};
  const { hash: _, annotations: _annotations, dependencies, ...fields } = node;
  const needed = Object.fromEntries(dependencies.map(({ name, ...edge }) => [name, edge]));
  return { lock: { ...fields, dependencies: needed } as Json };
}
