import type { Target } from '../../model/params.js';
import type { Work } from '../work.js';
import type { Connection } from './target.js';

/** Resolves a target's address and secrets on this worker. */
export async function connect(work: Pick<Work, 'address' | 'secret' | 'plan'>, target: Target): Promise<Connection> {
  const { name, kind, repository, username, password, extra } = target;
  const secrets: Record<string, string> = {};
  for (const variable of extra?.kind === 'command' ? extra.secrets : [])
    secrets[variable] = await work.secret(`$${variable}`);
  return {
    name,
    kind,
    repository,
    address: work.address(target.address),
    username: username === null ? null : await work.secret(username, 'name'),
    password: password === null ? null : await work.secret(password),
    staging: kind === 'oci' ? work.address('service:staging') : null,
    extra: extra ?? null,
    secrets,
    version: work.plan.release.version,
  };
}
