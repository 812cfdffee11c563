import type { Plan } from './plan.js';

/** Reference to a secret: a variable of the worker, a file there, or a command that prints it. */
export type SecretReference =
  | { readonly by: 'environment'; readonly name: string }
  | { readonly by: 'file'; readonly path: string }
  | { readonly by: 'command'; readonly line: string };

export const SECRET = /^(\$[A-Za-z_][A-Za-z0-9_]*|file:~?\/\S.*|command:\s*\S[\s\S]*)$/;

/** Parses a reference. Null for any other text. */
export function secretReference(text: string): SecretReference | null {
  const [, name] = /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(text) ?? [];
  if (name !== undefined) return { by: 'environment', name };
  const [, path] = /^file:(~?\/\S.*)$/.exec(text) ?? [];
  if (path !== undefined) return { by: 'file', path };
  const [, line] = /^command:\s*(\S.*)$/s.exec(text) ?? [];
  return line === undefined ? null : { by: 'command', line };
}

/** Display form of a reference, shortened for a long command line. */
export const secretName = (reference: string): string =>
  reference.startsWith('command:') && reference.length > 40 ? `${reference.slice(0, 39)}…` : reference;

/** Keys of parameters that hold references to secrets. User names hold references too, but are no secrets. */
const KEYS = ['password', 'passphrase', 'key', 'url', 'token'];

/** References to every secret that some step of a plan uses. Their values are redacted in the output of all steps. */
export function secretsOf({ steps, notify }: Pick<Plan, 'steps' | 'notify'>): readonly string[] {
  const found = new Set<string>();
  for (const { params } of steps) for (const text of namedIn(params)) found.add(text);
  for (const listener of notify?.listeners ?? []) for (const text of namedIn(listener)) found.add(text);
  return [...found].sort();
}

/** References in the parameters, their registries, and the variables of a registry's commands. */
function namedIn(params: object): readonly string[] {
  return Object.entries(params).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'headers' && typeof value === 'object' && value !== null)
      return Object.values(value).filter(
        (one): one is string => typeof one === 'string' && secretReference(one) !== null,
      );
    if (['target', 'from', 'extra', 'outlet'].includes(key))
      return typeof value === 'object' && value !== null ? namedIn(value) : [];
    if (key === 'secrets' && Array.isArray(value)) return value.map((name) => `$${String(name)}`);
    return KEYS.includes(key) && typeof value === 'string' && secretReference(value) !== null ? [value] : [];
  });
}
