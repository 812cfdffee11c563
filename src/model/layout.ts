import type { Artifact } from './artifact.js';
import { fileName } from './file-name.js';
import type { Plan } from './plan.js';

/** Replaces the branch of a commit named by hash or tag, or of a detached HEAD. Git allows no branch of this name. */
const NO_BRANCH = 'HEAD';

/** Folder of a source's products in the layout: `{branch}/{commit}`, or `sdist/{sha256}` for a source archive. */
export function layoutFolder({ source }: Pick<Plan, 'source'>): string {
  if (source.kind === 'none') return 'sources';
  return source.kind === 'git' ? `${source.branch ?? NO_BRANCH}/${source.commit}` : `sdist/${source.sha256}`;
}

/** Path of a product in the layout. Null for other artifacts. A JAR for one platform is in that platform's folder. */
export function layoutPath(plan: Pick<Plan, 'source'>, { kind, name, labels }: Artifact): string | null {
  if (kind !== 'wheel' && kind !== 'sdist' && kind !== 'jar') return null;
  const platform = kind === 'jar' ? labels['platform'] : undefined;
  return [layoutFolder(plan), ...(platform === undefined ? [] : ['jars', fileName(platform)]), fileName(name)].join(
    '/',
  );
}
