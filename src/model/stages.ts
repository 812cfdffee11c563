/** Stages of a release in order. A stage is a label for display; edges between steps decide the order. */
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
