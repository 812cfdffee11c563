import type { Digest } from '../../model/digest.js';
import { canonical } from '../../model/json.js';

const INDEX = 'application/vnd.oci.image.index.v1+json';

/** One image of an index, as the registry stores it. */
export interface IndexChild {
  readonly digest: Digest;
  readonly mediaType: string;
  readonly size: number;
  /** `linux/arm64`, `linux/arm/v7`. */
  readonly platform: string;
}

/** Returns the bytes of a multi-platform index: canonical JSON, children by platform, no time. The same children give
 * the same digest. Null without a child, or with two for one platform. */
export function ociIndex(
  children: readonly IndexChild[],
  annotations: Readonly<Record<string, string>> = {},
): string | null {
  const platforms = new Set(children.map(({ platform }) => platform));
  if (children.length === 0 || platforms.size < children.length) return null;
  return canonical({
    schemaVersion: 2,
    mediaType: INDEX,
    manifests: [...children].sort((a, b) => (a.platform < b.platform ? -1 : 1)).map(descriptor),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  });
}

function descriptor({ digest, mediaType, size, platform }: IndexChild) {
  const [os, architecture, variant] = platform.split('/');
  return { digest, mediaType, size, platform: { os, architecture, ...(variant && { variant }) } };
}
