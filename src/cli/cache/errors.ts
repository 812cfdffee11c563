import { problem } from '../../model/problem.js';

export const noSuchCacheAction = problem.config((action: string, known: readonly string[]) => [
  'CACHE_ACTION_UNKNOWN',
  `slipway cache does not know ${JSON.stringify(action.slice(0, 80))}`,
  `Type one of these: ${known.map((name) => `\`slipway cache ${name}\``).join(', ')}.`,
]);
export const cacheTakesNoWheel = problem.config((action: string, word: string) => [
  'CACHE_WORD_EXTRA',
  `slipway cache ${action} takes one file, and ${JSON.stringify(word.slice(0, 80))} is one word more`,
  'Leave the word out, and type the command once for each file. `slipway cache rebuild FILE NAME` takes wheels.',
]);
export const neverRun = problem.config((runs: string, file: string) => [
  'CACHE_NEVER_RUN',
  `neither the Temporal server nor the store knows a run of ${runs}, so no wheel was judged yet`,
  `Type \`slipway run ${file}\`; before a run, \`slipway plan ${file}\` shows how many wheels it would build.`,
]);
export const noIndex = problem.config((file: string, profile: string, names: readonly string[]) => [
  'CACHE_WITHOUT_INDEX',
  names.length === 0
    ? `${file} publishes to no index: no entry of \`publish\` has \`kind: simple\``
    : `profile "${profile}" does not say where ${names.join(', ')} is`,
  names.length === 0
    ? 'Add an entry with `kind: simple` and `when: built` to `publish`.'
    : 'Add a row with its `address` to `targets` of the profile, or name another profile with --profile.',
]);
export const neverPublished = problem.config((target: string, address: string, file: string) => [
  'CACHE_NOT_PUBLISHED',
  `the store knows no run that published to ${target} at ${address}, so nothing may draw its pages`,
  `Type \`slipway run ${file}\`: what it publishes draws the pages of its projects.`,
]);
export const noWheelList = problem.config((workflowId: string, file: string) => [
  'CACHE_WITHOUT_LIST',
  `${workflowId} has no list of wheels: no entry of \`wheels\` has \`import: wheel-list\``,
  `Add such an entry to ${file}, or name the file that has one.`,
]);
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
export const noneToRebuild = problem.config((file: string) => [
  'REBUILD_NO_INDEX',
  `${file} publishes to no index of wheels: no entry of \`publish\` has \`kind: simple\` and an address in the profile`,
  'Name the release file whose index was lost, and its profile with `--profile NAME`.',
]);
export const whichWheels = problem.config((file: string) => [
  'REBUILD_WHICH',
  'no wheel is named',
  `Type \`slipway cache rebuild ${file} --all\`, or name wheels behind the file: NAME==VERSION.`,
]);
export const wheelUnknown = problem.config((wheel: string, known: readonly string[]) => [
  'REBUILD_UNKNOWN',
  `the store has no copy of a wheel ${JSON.stringify(wheel.slice(0, 100))}${known.length === 0 ? '' : `; it has ${known.join(', ')}`}`,
  'Correct the name; without copies, `slipway run FILE` builds the wheels that lists want.',
]);
