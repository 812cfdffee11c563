import { CONTROL, type Queue } from './ids.js';
import { rowOf } from './kinds.js';
import type { Plan, Step } from './plan.js';
import { takesHomeLogin } from './service-login.js';
import type { Target } from './target.js';

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

/** Names of variables that steps of a build queue may look up, as SLIPWAY_BUILD_ENV of their worker lists them. */
export const listedNames = (env: Readonly<Record<string, string | undefined>>): ReadonlySet<string> =>
  new Set((env['SLIPWAY_BUILD_ENV'] ?? '').split(',').map((name) => name.trim()));

/** A value of `env:` for a test on a cluster that is the text itself: there `$NAME` is a reference, and `$$NAME` is the
 * text `$NAME`. */
export const literalValue = (text: string): string => (/^\$+[A-Za-z_]\w*$/.test(text) ? `$${text}` : text);
/** Returns the text of a value that `literalValue` made. Others are returned unchanged. */
export const textOfValue = (value: string): string => (/^\$\$+[A-Za-z_]\w*$/.test(value) ? value.slice(1) : value);

export const isVariable = (text: string): boolean => secretReference(text)?.by === 'environment';

/** A reference that a step or a listener looks up. */
export interface Use {
  readonly reference: string;
  /** The id of the step, or `notify.NAME`. */
  readonly user: string;
  readonly on: Queue;
  /** The target whose credential it is. Null if it is none. */
  readonly target: Target | null;
  /** True for a user name, which is no secret. */
  readonly isName: boolean;
}

type Using = Pick<Plan, 'steps' | 'notify'>;

/** References to every secret that some step of a plan uses. Their values are redacted in the output of all steps. */
export const secretsOf = (plan: Using): readonly string[] =>
  [...new Set(usesIn(plan).flatMap(({ reference, isName }) => (isName ? [] : [reference])))].sort();

/** Returns all that the steps and listeners of a plan look up. Values of `env:` are, for tests on clusters and unknown kinds. */
export const usesIn = ({ steps, notify }: Using): readonly Use[] => [
  ...steps.flatMap((step): Use[] => {
    const { id: user, on, kind, params } = step;
    const target = targetIn(step);
    const use = (reference: string, isName = false): Use => ({ reference, user, on, target, isName });
    const env: object = rowOf(kind)?.envSecrets === false || !('env' in params) ? {} : params.env;
    const name = target?.username ?? '';
    // A service of the home asks for the home's secret, whatever the profile names.
    const ownService = target && takesHomeLogin(target) ? [name, target.password] : [];
    const uses = [...namedIn(params), ...Object.values(env).filter(isVariable)].map((reference) => use(reference));
    return [...uses, ...(secretReference(name) === null ? [] : [use(name, true)])].filter(
      ({ reference }) => !ownService.includes(reference),
    );
  }),
  ...(notify?.listeners ?? []).flatMap((listener) =>
    namedIn(listener).map((reference) => ({
      ...{ reference, user: `notify.${listener.name}`, on: CONTROL, target: null, isName: false },
    })),
  ),
];

export const targetIn = ({ kind, params }: Step): Target | null =>
  'target' in params ? params.target : kind === 'promoteImage' ? params.from : null;

/** Keys of parameters that hold references to secrets. User names hold references too, but are no secrets. */
const KEYS = ['password', 'passphrase', 'key', 'url', 'token'];

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
