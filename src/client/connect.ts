import type { ConnectOptions, ReleaseClient } from './index.js';
import { openConnection, releaseClient } from './open.js';

/** Opens the typed door to Temporal. Throws SERVICES_DOWN, HOME_NOT_NAMED, SERVER_UNREACHABLE, SERVER_FOREIGN,
 * NAMESPACE_UNMARKED, SERVER_REFUSED, DOOR_CERTIFICATE_UNUSABLE, CERTIFICATE_UNREADABLE, CERTIFICATE_EXPIRED or CODEC_…, each as a SlipwayFailure. */
export const connect = async (options: ConnectOptions = {}): Promise<ReleaseClient> =>
  releaseClient(await openConnection(options));
