import type { Problem } from '../../model/failure.js';
import type { FailurePatternName } from '../../model/failure-patterns.js';
import {
  diskFullHere,
  engineGone,
  fetchDenied,
  heapFull,
  killedByOthers,
  machineShort,
  networkDown,
  notPermitted,
} from './errors.js';

/** Returns the problem of a failure pattern. Null if the pattern has no problem of its own. */
export function environmentProblem(sign: FailurePatternName, why: string): Problem | null {
  switch (sign) {
    case 'disk full':
      return diskFullHere(why);
    case 'not writable':
      return notPermitted(why);
    case 'machine short':
      return machineShort(why);
    case 'heap full':
      return heapFull(why);
    case 'killed':
      return killedByOthers(why);
    case 'unreachable':
    case 'no such host':
    case 'network':
      return networkDown(why);
    case 'engine gone':
      return engineGone(why);
    case 'denied':
      return fetchDenied(why);
    default:
      return null;
  }
}
