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
