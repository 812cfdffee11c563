import type { Problem } from '../../model/failure.js';

export const notPruned = (file: string, targets: readonly string[]): Problem => ({
  code: 'PRUNE_UNDECLARED',
  class: 'config',
  message: `${file} has no target of kind simple under \`prune\``,
  next: `Add \`prune: { ${targets[0] ?? 'TARGET'}: {} }\` to the file: the keys unused, grace and past have defaults.`,
});

export const whichIndex = (targets: readonly string[]): Problem => ({
  code: 'PRUNE_WHICH_INDEX',
  class: 'config',
  message: `the file prunes several indexes: ${targets.join(', ')}`,
  next: `Name one: \`--target ${targets[0]}\`.`,
});

export const noLists = (file: string): Problem => ({
  code: 'PRUNE_NO_LISTS',
  class: 'config',
  message: `${file} imports no list of wheels, so nothing says which wheels are wanted`,
  next: 'Name the file whose `wheels` have `import: wheel-list`.',
});

export const reviewUnknown = (digest: string): Problem => ({
  code: 'PRUNE_REVIEW_UNKNOWN',
  class: 'config',
  message: `the store has no prune review ${JSON.stringify(digest.slice(0, 100))}`,
  next: 'Type `slipway cache prune FILE`: its last line has the digest to apply.',
});

export const reviewStale = (why: string): Problem => ({
  code: 'PRUNE_REVIEW_STALE',
  class: 'config',
  message: `this prune review does not hold any more: ${why}`,
  next: 'Type `slipway cache prune FILE`, read the new review, and apply its digest.',
});

export const folderWithLog = (): Problem => ({
  code: 'PRUNE_FOLDER_LOG',
  class: 'config',
  message: '`--folder` is judged by name and digest, and reads no access log',
  next: 'Leave `--log` out.',
});

export const orderUnsigned = (): Problem => ({
  code: 'PRUNE_UNSIGNED',
  class: 'config',
  message: 'this home has no private control key, so no worker would carry out a prune that is ordered here',
  next: 'Apply the review in the home that `slipway up` made, or copy its keys/control.key and name the folder in SLIPWAY_KEYS.',
});
