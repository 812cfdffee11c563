import type { Cluster, ClusterTest } from '../../model/schema/sections/clusters.js';

/** Folder of Python and Ray in an image that nodes run from: its `bin` has `python` and `ray`. */
export const RAY_IN_IMAGE = '/opt/ray';

/** Images that a test needs: `images/NAME`. The nodes of a docker cluster run from the image in place of the base. */
export const imagesOf = ({ needs }: Pick<ClusterTest, 'needs'>): readonly string[] =>
  needs.flatMap((need) => /^images\/[^[]+/.exec(need)?.[0] ?? []);

interface Fault {
  readonly key: string;
  readonly why: string;
  readonly next: string;
}

/** Returns what is wrong with the image of a cluster's nodes. Null if nothing is. */
export function imageFault(test: ClusterTest, { manager, ...cluster }: Cluster): Fault | null {
  const images = imagesOf(test);
  const [image, ...more] = images;
  if (image === undefined)
    return manager !== 'docker' || ('base' in cluster && cluster.base !== undefined)
      ? null
      : {
          key: 'cluster',
          why: `the cluster ${test.cluster} has no base, and the test needs no image`,
          next: `Add \`clusters.${test.cluster}.base\`, or an entry of images to the needs of the test.`,
        };
  if (more.length > 0)
    return {
      key: 'needs',
      why: `the nodes of a cluster run from one image, and the test needs ${images.join(', ')}`,
      next: 'Keep one image.',
    };
  return manager === 'docker'
    ? null
    : {
        key: 'needs',
        why: `the cluster ${test.cluster} runs no containers, so ${image} has no effect`,
        next: 'Name a cluster with `manager: docker`, or take the image away.',
      };
}
