import type { Problem } from '../../model/failure.js';

export const noSuchCacheAction = (action: string, known: readonly string[]): Problem => ({
  code: 'CACHE_ACTION_UNKNOWN',
  class: 'config',
  message: `slipway cache does not know ${JSON.stringify(action.slice(0, 80))}`,
  next: `Type one of these: ${known.map((name) => `\`slipway cache ${name}\``).join(', ')}.`,
});

export const cacheTakesNoWheel = (action: string, word: string): Problem => ({
  code: 'CACHE_WORD_EXTRA',
  class: 'config',
  message: `slipway cache ${action} takes one file, and ${JSON.stringify(word.slice(0, 80))} is one word more`,
  next: 'Leave the word out, and type the command once for each file. `slipway cache rebuild FILE NAME` takes wheels.',
});

export const neverRun = (runs: string, file: string): Problem => ({
  code: 'CACHE_NEVER_RUN',
  class: 'config',
  message: `neither the Temporal server nor the store knows a run of ${runs}, so no wheel was judged yet`,
  next: `Type \`slipway run ${file}\`; before a run, \`slipway plan ${file}\` shows how many wheels it would build.`,
});

export const noIndex = (file: string, profile: string, names: readonly string[]): Problem => ({
  code: 'CACHE_WITHOUT_INDEX',
  class: 'config',
  message:
    names.length === 0
      ? `${file} publishes to no index: no entry of \`publish\` has \`kind: simple\``
      : `profile "${profile}" does not say where ${names.join(', ')} is`,
  next:
    names.length === 0
      ? 'Add an entry with `kind: simple` and `when: built` to `publish`.'
      : 'Add a row with its `address` to `targets` of the profile, or name another profile with --profile.',
});

export const neverPublished = (target: string, address: string, file: string): Problem => ({
  code: 'CACHE_NOT_PUBLISHED',
  class: 'config',
  message: `the store knows no run that published to ${target} at ${address}, so nothing may draw its pages`,
  next: `Type \`slipway run ${file}\`: what it publishes draws the pages of its projects.`,
});

export const noWheelList = (workflowId: string, file: string): Problem => ({
  code: 'CACHE_WITHOUT_LIST',
  class: 'config',
  message: `${workflowId} has no list of wheels: no entry of \`wheels\` has \`import: wheel-list\``,
  next: `Add such an entry to ${file}, or name the file that has one.`,
});
