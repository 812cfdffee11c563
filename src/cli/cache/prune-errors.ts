import { problem } from '../../model/problem.js';

export const notPruned = problem.config((file: string, targets: readonly string[]) => [
  'PRUNE_UNDECLARED',
  `${file} has no target of kind simple under \`prune\``,
  `Add \`prune: { ${targets[0] ?? 'TARGET'}: {} }\` to the file: the keys unused, grace and past have defaults.`,
]);
export const whichIndex = problem.config((targets: readonly string[]) => [
  'PRUNE_WHICH_INDEX',
  `the file prunes several indexes: ${targets.join(', ')}`,
  `Name one: \`--target ${targets[0]}\`.`,
]);
export const noLists = problem.config((file: string) => [
  'PRUNE_NO_LISTS',
  `${file} imports no list of wheels, so nothing says which wheels are wanted`,
  'Name the file whose `wheels` have `import: wheel-list`.',
]);
export const reviewUnknown = problem.config((digest: string) => [
  'PRUNE_REVIEW_UNKNOWN',
  `the store has no prune review ${JSON.stringify(digest.slice(0, 100))}`,
  'Type `slipway cache prune FILE`: its last line has the digest to apply.',
]);
export const reviewStale = problem.config((why: string) => [
  'PRUNE_REVIEW_STALE',
  `this prune review does not hold any more: ${why}`,
  'Type `slipway cache prune FILE`, read the new review, and apply its digest.',
]);
export const folderWithLog = problem.config(() => [
  'PRUNE_FOLDER_LOG',
  '`--folder` is judged by name and digest, and reads no access log',
  'Leave `--log` out.',
]);
export const orderUnsigned = problem.config(() => [
  'PRUNE_UNSIGNED',
  'this home has no private control key, so no worker would carry out a prune that is ordered here',
  'Apply the review in the home that `slipway up` made, or copy its keys/control.key and name the folder in SLIPWAY_KEYS.',
]);
