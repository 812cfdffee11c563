import { fail, SlipwayFailure } from '../../model/failure.js';
import type { Plan } from '../../model/plan.js';
import { takesHomeLogin } from '../../model/service-login.js';
import type { Target } from '../../model/target.js';
import type { Work } from '../work.js';
import { homeLoginAbsent } from './errors.js';
import type { Connection } from './ports.js';

/** The part of an attempt that a connection is made from. A version among the parameters goes before the release's. */
interface Connecting extends Pick<Work, 'address' | 'secret'>, Partial<Pick<Work, 'login'>> {
  readonly plan: Pick<Plan, 'release'>;
  readonly step: { readonly params: object };
}

/** Resolves a target's address and secrets on this worker. A service of the home takes the home's own credential.
 * @param wanted `where they are here` reads the target without a credential that this worker's environment lacks */
export async function connect(
  work: Connecting,
  target: Target,
  wanted: 'all' | 'where they are here' = 'all',
): Promise<Connection> {
  const { name, kind, repository, extra } = target;
  const secrets: Record<string, string> = {};
  for (const variable of extra?.kind === 'command' ? extra.secrets : [])
    secrets[variable] = await work.secret(`$${variable}`);
  const isOurs = takesHomeLogin(target);
  const own = isOurs ? (work.login?.(target.address) ?? null) : null;
  // A profile's password is for whom the profile names, and another program may listen in the place of a service.
  if (isOurs && own === null && target.password !== null && wanted === 'all') throw fail(homeLoginAbsent(target));
  return {
    ...{ name, kind, repository },
    address: work.address(target.address),
    ...(own
      ? { ...own, readsOpenly: true }
      : await credentialIn(isOurs ? { ...target, ...NONE } : target, work, wanted)),
    staging: kind === 'oci' ? work.address('service:staging') : null,
    stagingLogin: kind === 'oci' ? (work.login?.('service:staging') ?? null) : null,
    extra: extra ?? null,
    secrets,
    version: 'version' in work.step.params ? String(work.step.params.version) : work.plan.release.version,
  };
}

const NONE = { username: null, password: null };

async function credentialIn(
  { username, password }: Target,
  work: Connecting,
  wanted: 'all' | 'where they are here',
): Promise<Pick<Connection, 'username' | 'password'>> {
  const found = await (wanted === 'all' ? password && work.secret(password) : orNull(password, work));
  const lacks = username === null || (password !== null && found === null);
  return { username: lacks ? null : await work.secret(username, 'name'), password: found };
}

async function orNull(reference: string | null, work: Pick<Work, 'secret'>): Promise<string | null> {
  if (reference === null) return null;
  return work.secret(reference).catch((error: unknown) => {
    if (error instanceof SlipwayFailure && ['SECRET_MISSING', 'SECRET_NOT_LISTED'].includes(error.first.code))
      return null;
    throw error;
  });
}
