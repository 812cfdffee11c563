import type { PublishedImages } from '../../activities/images/ports.js';
import { fail } from '../../model/failure.js';
import { stagingMissing } from '../http/errors.js';
import { copyImage } from './copy.js';
import { openTarget, stagingPeer } from './oci-target.js';
import { headManifest, openRepository } from './registry.js';

/** Copies published images back to staging by the OCI distribution API. */
export const createPublishedImages = (): PublishedImages => ({
  digestOf: (from, tag, session) => headManifest(openTarget(from, session), tag),
  async bring(from, digest, repository, session) {
    if (from.staging === null) throw fail(stagingMissing(from.name));
    const source = openTarget(from, session);
    session.log.write(`copying ${source.reference}@${digest} to staging\n`);
    const staging = openRepository(stagingPeer(from, from.staging, session), from.staging, { repository });
    await copyImage(source, staging, digest, (line) => session.log.write(line));
  },
});
