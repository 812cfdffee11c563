import type { Target } from '../../model/params.js';
import type { Work } from '../work.js';
import type { Connection } from './target.js';

/** Resolves a target's address and secrets on this worker. */
export function connect(work: Pick<Work, 'address' | 'secret' | 'plan'>, target: Target): Connection {
  const { name, kind, repository, username, password, extra } = target;
  const secrets = extra?.kind === 'command' ? extra.secrets : [];
  return {
    name,
    kind,
    repository,
    address: work.address(target.address),
    username: username === null ? null : work.secret(username),
    password: password === null ? null : work.secret(password),
    staging: kind === 'oci' ? work.address('service:staging') : null,
    extra: extra ?? null,
    secrets: Object.fromEntries(secrets.map((variable) => [variable, work.secret(`$${variable}`)])),
    version: work.plan.release.version,
  };
}
