/** Stages of a release, in the order of display. Edges between steps decide the order of execution. A step's stage is part of its
 * key, and decides its default retries, its priority and whether it gets the seal. */
export const STAGE_IDS = [
  'source',
  'prove',
  'deps',
  'sdists',
  'wheels',
  'jars',
  'images',
  'tests',
  'steps',
  'seal',
  'attest',
  'gates',
  'publish',
  'verify',
  'point',
  'announce',
  'report',
] as const;
export type StageId = (typeof STAGE_IDS)[number];
