import type { PublishedImages } from '../../activities/images/ports.js';
import { copyImage } from './copy.js';
import { openStaging, openTarget } from './oci-target.js';
import { headManifest } from './registry.js';

/** Copies published images back to staging by the OCI distribution API. */
export const createPublishedImages = (): PublishedImages => ({
  digestOf: (from, tag, session) => headManifest(openTarget(from, session), tag),
  async bring(from, digest, repository, session) {
    const staging = openStaging(from, repository, session);
    const source = openTarget(from, session);
    session.log.write(`copying ${source.reference}@${digest} to staging\n`);
    await copyImage(source, staging, digest, (line) => session.log.write(line));
  },
});
