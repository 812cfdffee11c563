import { problem } from '../../model/problem.js';

export const noIndex = problem.config((file: string) => [
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
