import type { Checkout } from '../../model/checkout.js';
import { fail } from '../../model/failure.js';
import { problems } from './errors.js';
import { findProjects } from './find.js';
import { releaseFileText } from './render.js';

export interface InitFile {
  /** Path below the folder: `slipway.yaml` or `release/slipway.yaml`. */
  readonly path: string;
  readonly text: string;
}

/** Writes a release file for a checkout. Pure. Throws an INIT_… code if the facts allow none. */
export function initFile(checkout: Checkout): InitFile {
  if (checkout.git === null) throw fail(problems.notGit(checkout.name));
  if (!checkout.git.hasCommit) throw fail(problems.noCommit(checkout.name));
  const found = findProjects(checkout);
  // A release file's bundle is its folder, so an unsuitable folder gets a subfolder for it.
  return checkout.fitsBundle
    ? { path: 'slipway.yaml', text: releaseFileText(found, checkout, '.') }
    : { path: 'release/slipway.yaml', text: releaseFileText(found, checkout, '..') };
}
