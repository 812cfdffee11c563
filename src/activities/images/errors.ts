import { short, type Digest } from '../../model/digest.js';
import type { Reach } from '../../model/dockerfile/reaches-out.js';
import type { Problem } from '../../model/failure.js';

export const baseUnknown = (step: string, base: string): Problem => ({
  code: 'BASE_UNKNOWN',
  class: 'bug',
  message: `${step} builds on ${base}, and no result of that step holds an image`,
  next: '`slipway plan --json` shows the edges of the step; report it together with the release file.',
});

export const dockerfileMissing = (dockerfile: string, inSource: boolean): Problem => ({
  code: 'DOCKERFILE_MISSING',
  class: 'config',
  message: `${dockerfile} is not ${inSource ? 'a file of the source' : 'in the folder of the release file'}`,
  next: `${inSource ? 'Commit the Dockerfile' : 'Put the Dockerfile beside the release file'}, or name another one with \`dockerfile:\`.`,
});

export const baseUnused = (dockerfile: string, base: string): Problem => ({
  code: 'BASE_UNUSED',
  class: 'config',
  message: `${dockerfile} has no line ARG BASE, so it would not begin from ${base}`,
  next: 'Let the Dockerfile begin with the lines ARG BASE and FROM ${BASE}, or take `base:` out of the image.',
});

export const dockerfileFetches = (dockerfile: string, image: string, { line, what, instead }: Reach): Problem => ({
  code: 'DOCKERFILE_FETCHES',
  class: 'config',
  message: `${dockerfile}:${line}: ${what}, and the image has no network`,
  next: `${instead}, or write \`network: true\` under images.${image}.`,
});

export const notStaged = (reference: string, digest: string, seen: string | null): Problem => ({
  code: 'IMAGE_NOT_STAGED',
  class: 'infra',
  message: `${reference} was pushed as ${digest}, and the staging registry holds ${seen ?? 'nothing'} there`,
  next: '`slipway doctor` asks the staging registry; then run the release again.',
});

export const imageWithoutDigest = (image: string): Problem => ({
  code: 'BASE_WITHOUT_DIGEST',
  class: 'config',
  message: `the base image ${image} is not named by its digest`,
  next: 'Write `image: name@sha256:…`; a tag may hold other bytes tomorrow.',
});

export const platformDiffers = (reference: string, wanted: string, seen: string): Problem => ({
  code: 'IMAGE_PLATFORM_DIFFERS',
  class: 'product',
  message: `${reference} was to be for ${wanted}, and its configuration says ${seen}`,
  next: 'Let the Dockerfile begin with `FROM ${BASE}` and without --platform; a base that is named by digest must be of that platform.',
});

export const childMissing = (index: string, step: string, platform: string, digest: Digest | null): Problem => ({
  code: 'INDEX_CHILD_MISSING',
  class: 'infra',
  message: `${index} lacks its image for ${platform}: ${digest === null ? `${step} left none` : `staging does not hold ${short(digest)} of ${step}`}`,
  next: 'Run the release again: it pushes or builds again what staging lost. `slipway doctor` asks the staging registry.',
});

export const noChildren = (index: string): Problem => ({
  code: 'INDEX_CHILD_MISSING',
  class: 'config',
  message: `${index} would have no image: the plan leaves out all of its platforms`,
  next: 'Start a worker for one of its platforms, or remove the image from the release file.',
});

export const childDiffers = (
  index: string,
  { step, platform }: { readonly step: string; readonly platform: string },
  seen: readonly string[],
): Problem => ({
  code: 'INDEX_CHILD_DIFFERS',
  class: 'product',
  message: `${step} is to be the image for ${platform} of ${index}, and its configuration says ${seen.join(', ') || 'nothing'}`,
  next: 'Build it for that platform: the Dockerfile begins with `FROM ${BASE}` and without --platform.',
});

export const nothingToPromote = (target: string, name: string): Problem => ({
  code: 'PROMOTION_ABSENT',
  class: 'config',
  message: `${target} has no ${name}, so there is nothing to take from it`,
  next: 'Publish it first, or name the tag that was published: `from: { target: …, tag: … }`.',
});

export const promotedDiffers = (target: string, name: string, wanted: string, seen: Digest): Problem => ({
  code: 'PROMOTION_DIFFERS',
  class: 'conflict',
  message: `${name} at ${target} is ${seen}, and the release file asks for ${wanted}`,
  next: 'The tag has moved, or the digest is of another tag. Find out which image was tested; then correct the tag or the digest.',
});
