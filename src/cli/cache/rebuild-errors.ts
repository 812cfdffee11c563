import type { Problem } from '../../model/failure.js';

export const noIndex = (file: string): Problem => ({
  code: 'REBUILD_NO_INDEX',
  class: 'config',
  message: `${file} publishes to no index of wheels: no entry of \`publish\` has \`kind: simple\` and an address in the profile`,
  next: 'Name the release file whose index was lost, and its profile with `--profile NAME`.',
});

export const whichWheels = (file: string): Problem => ({
  code: 'REBUILD_WHICH',
  class: 'config',
  message: 'no wheel is named',
  next: `Type \`slipway cache rebuild ${file} --all\`, or name wheels behind the file: NAME==VERSION.`,
});

export const wheelUnknown = (wheel: string, known: readonly string[]): Problem => ({
  code: 'REBUILD_UNKNOWN',
  class: 'config',
  message: `the store has no copy of a wheel ${JSON.stringify(wheel.slice(0, 100))}${known.length === 0 ? '' : `; it has ${known.join(', ')}`}`,
  next: 'Correct the name; without copies, `slipway run FILE` builds the wheels that lists want.',
});
