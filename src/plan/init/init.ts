import type { Checkout } from '../../model/checkout.js';
import { fail } from '../../model/failure.js';
import { problems } from './errors.js';
import { findProjects } from './find.js';
import { releaseFileText } from './render.js';

export interface InitFile {
  /** Path below the folder: `slipway.yaml`, or in a folder of its own. */
  readonly path: string;
  readonly text: string;
}

/** A release file for a checkout. Pure. Throws an INIT_… code if the facts allow none. */
export function initFile(checkout: Checkout): InitFile {
  if (checkout.git === null) throw fail(problems.notGit(checkout.name));
  if (!checkout.git.hasCommit) throw fail(problems.noCommit(checkout.name));
  const found = findProjects(checkout);
  // Files beside a release file are part of each plan.
  return checkout.fitsBundle
    ? { path: 'slipway.yaml', text: releaseFileText(found, checkout, '.') }
    : { path: 'release/slipway.yaml', text: releaseFileText(found, checkout, '..') };
}
