import { classify } from '../../../model/classify.js';
import type { Problem } from '../../../model/failure.js';
import type { Spot } from '../../../plan/errors.js';

export const placed = (spot: Spot): Pick<Problem, 'place' | 'path'> => ({
  ...(spot.place && { place: spot.place }),
  ...(spot.path && { path: spot.path }),
});

/** @param address without user and password
 * @param offline whether the plan was made with `--offline` */
export const listsUnreachable = (spot: Spot, address: string, words: string, offline: boolean): Problem => {
  const { class: found } = classify({ of: 'git', words });
  return {
    ...placed(spot),
    code: 'GIT_UNREACHABLE',
    class: found === 'denied' || found === 'infra' ? found : 'config',
    ...(found === 'infra' && { service: 'git' }),
    message: `git cannot read ${JSON.stringify(address)}`,
    next: offline
      ? 'Plan again without --offline where the repository can be reached.'
      : 'Type `git ls-remote ADDRESS` as the same user. Credentials come from ~/.netrc or an ssh agent: git does not ask.',
    evidence: words.split('\n').slice(-5),
  };
};

/** @param address without user and password */
export const passwordInAddress = (spot: Spot, address: string): Problem => ({
  ...placed(spot),
  code: 'GIT_ADDRESS_PASSWORD',
  class: 'config',
  message: `the address ${JSON.stringify(address)} carries a user or a password, and the release file travels with the plan`,
  next: 'Write the address without it, and put user and password into ~/.netrc.',
});

export const notARepository = (spot: Spot, path: string, why: string): Problem => ({
  ...placed(spot),
  code: 'LIST_GIT_ABSENT',
  class: 'config',
  message: `${JSON.stringify(path)} is not a git repository that can be read: ${why}`,
  next: "Correct `git`: it is an address, or a path from the release file's folder.",
});
