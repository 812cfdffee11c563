import type { Problem } from '../../model/failure.js';
import {
  buildFailed,
  engineBusy,
  engineDiskFull,
  engineRefused,
  engineUnreachable,
  notEmulated,
  registryTrouble,
} from './errors.js';

const DISK_FULL = /no space left on device|disk quota exceeded/i;
const ENGINE_GONE =
  /ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENOENT|EPIPE|EACCES|socket hang up|unexpected EOF|cannot connect|context canceled/i;
/** Another step has just pulled the same index for another platform: it takes the name away again. */
const OTHER_PLATFORM = /cannot overwrite digest/i;
/** What the kernel says to a program of another machine. */
const FOREIGN = /exec format error/i;
const REGISTRY =
  /connection refused|connection reset|i\/o timeout|TLS handshake|no such host|server misbehaving|received unexpected HTTP status: 5\d\d|too ?many ?requests|\bEOF\b/i;

/** Which problem an error of the engine's client is. `what` reads "pushing name:tag". */
export function classifyEngineError(what: string, message: string, status?: number): Problem {
  const why = message.trim();
  if (DISK_FULL.test(why)) return engineDiskFull(what, why);
  if (FOREIGN.test(why)) return notEmulated(what, why);
  if (OTHER_PLATFORM.test(why)) return engineBusy(what, why);
  if (status === undefined && ENGINE_GONE.test(why)) return engineUnreachable(what, why);
  if (REGISTRY.test(why)) return registryTrouble(what, why);
  return status !== undefined && status >= 500 && !why
    ? engineUnreachable(what, `status ${status}`)
    : engineRefused(what, why);
}

/** A build that failed by itself is the product's fault, unless the surroundings gave way under it. */
export function classifyBuildError(message: string, output: readonly string[]): Problem {
  const why = message.trim();
  const text = `${why}\n${output.join('\n')}`;
  if (DISK_FULL.test(text)) return engineDiskFull('building the image', why);
  if (FOREIGN.test(text)) return notEmulated('building the image', why);
  // A command in the Dockerfile that failed says so with its exit status; whatever it printed is its own affair.
  const ofACommand = /returned a non-zero code|did not complete successfully|exit code: \d+/.test(why);
  if (!ofACommand && /context canceled|transport is closing/i.test(why))
    return engineUnreachable('building the image', why);
  if (!ofACommand && REGISTRY.test(why)) return registryTrouble('building the image', why);
  return buildFailed(why, output);
}
