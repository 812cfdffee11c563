import type { Plan } from '../../model/plan.js';

/** Returns OCI annotations of an image: title, version, revision, source, created.
 * @param epoch time of the source, in seconds since 1970 */
export function ociLabels(plan: Plan, epoch: number, own: Readonly<Record<string, string>>): Record<string, string> {
  const { source, release } = plan;
  const prefix = 'org.opencontainers.image.';
  return {
    [`${prefix}title`]: release.name,
    [`${prefix}version`]: release.version,
    [`${prefix}revision`]: source.kind === 'git' ? source.commit : `sha256:${source.sha256}`,
    [`${prefix}source`]: source.kind === 'git' ? `git commit ${source.commit}` : `${source.name}==${source.version}`,
    [`${prefix}created`]: new Date(epoch * 1000).toISOString().replace('.000Z', 'Z'),
    ...own,
  };
}
