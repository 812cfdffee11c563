import type { PublishedImages } from '../../activities/images/ports.js';
import { fail } from '../../model/failure.js';
import { stagingMissing } from '../http/errors.js';
import type { Peer } from '../http/request.js';
import { copyImage } from './copy.js';
import { openTarget } from './oci-target.js';
import { headManifest, openRepository } from './registry.js';

/** Copies published images back to staging by the OCI distribution API. */
export const createPublishedImages = (): PublishedImages => ({
  digestOf: (from, tag, session) => headManifest(openTarget(from, session), tag),
  async bring(from, digest, repository, session) {
    if (from.staging === null) throw fail(stagingMissing(from.name));
    const peer: Peer = { target: 'staging', username: null, password: null, origin: null, signal: session.signal };
    const source = openTarget(from, session);
    session.log.write(`copying ${source.reference}@${digest} to staging\n`);
    await copyImage(source, openRepository(peer, from.staging, { repository }), digest, (line) =>
      session.log.write(line),
    );
  },
});
