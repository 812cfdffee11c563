import type { Problem } from '../../model/failure.js';

export const baseUnknown = (step: string, base: string): Problem => ({
  code: 'BASE_UNKNOWN',
  class: 'bug',
  message: `${step} builds on ${base}, and no result of that step holds an image`,
  next: '`slipway plan --json` shows the edges of the step; report it together with the release file.',
});

export const dockerfileMissing = (dockerfile: string): Problem => ({
  code: 'DOCKERFILE_MISSING',
  class: 'config',
  message: `${dockerfile} is not in the folder of the release file`,
  next: 'Put the Dockerfile beside the release file, or name another one with `dockerfile:`.',
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
