import type { Plan } from '../../model/plan.js';

/** Returns OCI annotations of an image: title, version, revision, source, created.
 * @param epoch time of the source, in seconds since 1970 */
export function ociLabels(plan: Plan, epoch: number, own: Readonly<Record<string, string>>): Record<string, string> {
  const { source, release } = plan;
  const prefix = 'org.opencontainers.image.';
  return {
    [`${prefix}title`]: release.name,
    [`${prefix}version`]: release.version,
    ...originOf(source, prefix),
    [`${prefix}created`]: new Date(epoch * 1000).toISOString().replace('.000Z', 'Z'),
    ...own,
  };
}

function originOf(source: Plan['source'], prefix: string): Record<string, string> {
  if (source.kind === 'none') return {};
  return source.kind === 'git'
    ? { [`${prefix}revision`]: source.commit, [`${prefix}source`]: `git commit ${source.commit}` }
    : { [`${prefix}revision`]: `sha256:${source.sha256}`, [`${prefix}source`]: `${source.name}==${source.version}` };
}
