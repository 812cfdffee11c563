import { problem } from '../../model/problem.js';
import { short, type Digest } from '../../model/digest.js';
import type { Reach } from '../../model/dockerfile/reaches-out.js';

export const baseUnknown = problem.bug((step: string, base: string) => [
  'BASE_UNKNOWN',
  `${step} builds on ${base}, and no result of that step holds an image`,
  '`slipway plan --json` shows the edges of the step; report it together with the release file.',
]);
export const dockerfileMissing = problem.config((dockerfile: string, inSource: boolean) => [
  'DOCKERFILE_MISSING',
  `${dockerfile} is not ${inSource ? 'a file of the source' : 'in the folder of the release file'}`,
  `${inSource ? 'Commit the Dockerfile' : 'Put the Dockerfile beside the release file'}, or name another one with \`dockerfile:\`.`,
]);
export const baseUnused = problem.config((dockerfile: string, base: string) => [
  'BASE_UNUSED',
  `${dockerfile} lacks ARG BASE or FROM \${BASE}, so it would not begin from ${base}`,
  'Let the Dockerfile begin with the lines ARG BASE and FROM ${BASE}, or take `base:` out of the image.',
]);
export const cacheNamespaceOwned = problem.config((where: string) => [
  'CACHE_NAMESPACE_OWNED',
  `${where} names the argument BUILDKIT_CACHE_MOUNT_NS, or may name it. Slipway sets it anew for each build: no cache mount carries anything from one step to another`,
  'Take the argument away, and write names of ARG plainly. Put the shared part into an image of its own, and write `base: images/NAME` in both.',
]);
export const dockerfileFetches = problem.config((dockerfile: string, image: string, { line, what, instead }: Reach) => [
  'DOCKERFILE_FETCHES',
  `${dockerfile}:${line}: ${what}, and the image has no network`,
  `${instead}, or write \`network: true\` under images.${image}.`,
]);
export const notStaged = problem.infra((reference: string, digest: string, seen: string | null) => [
  'IMAGE_NOT_STAGED',
  `${reference} was pushed as ${digest}, and the staging registry holds ${seen ?? 'nothing'} there`,
  '`slipway doctor` asks the staging registry; then run the release again.',
]);
export const imageWithoutDigest = problem.config((image: string) => [
  'BASE_WITHOUT_DIGEST',
  `the base image ${image} is not named by its digest`,
  'Write `image: name@sha256:…`; a tag may hold other bytes tomorrow.',
]);
export const platformDiffers = problem.product((reference: string, wanted: string, seen: string) => [
  'IMAGE_PLATFORM_DIFFERS',
  `${reference} was to be for ${wanted}, and its configuration says ${seen}`,
  'Let the Dockerfile begin with `FROM ${BASE}` and without --platform; a base that is named by digest must be of that platform.',
]);
export const childMissing = problem.infra((index: string, step: string, platform: string, digest: Digest | null) => [
  'INDEX_CHILD_MISSING',
  `${index} lacks its image for ${platform}: ${digest === null ? `${step} left none` : `staging does not hold ${short(digest)} of ${step}`}`,
  'Run the release again: it pushes or builds again what staging lost. `slipway doctor` asks the staging registry.',
]);
export const noChildren = problem.config((index: string) => [
  'INDEX_CHILD_MISSING',
  `${index} would have no image: the plan leaves out all of its platforms`,
  'Start a worker for one of its platforms, or remove the image from the release file.',
]);
export const childDiffers = problem.product(
  (
    index: string,
    { step, platform }: { readonly step: string; readonly platform: string },
    seen: readonly string[],
  ) => [
    'INDEX_CHILD_DIFFERS',
    `${step} is to be the image for ${platform} of ${index}, and its configuration says ${seen.join(', ') || 'nothing'}`,
    'Build it for that platform: the Dockerfile begins with `FROM ${BASE}` and without --platform.',
  ],
);
export const nothingToPromote = problem.config((target: string, name: string) => [
  'PROMOTION_ABSENT',
  `${target} has no ${name}, so there is nothing to take from it`,
  'Publish it first, or name the tag that was published: `from: { target: …, tag: … }`.',
]);
export const promotedDiffers = problem.conflict((target: string, name: string, wanted: string, seen: Digest) => [
  'PROMOTION_DIFFERS',
  `${name} at ${target} is ${seen}, and the release file asks for ${wanted}`,
  'The tag has moved, or the digest is of another tag. Find out which image was tested; then correct the tag or the digest.',
]);
