import type { Problem } from '../model/failure.js';
import { shown, type Spot } from './errors.js';

const config = (spot: Spot, code: string, message: string, next: string): Problem => ({
  ...{ code, class: 'config' as const, message, next },
  ...spot,
});

export const noHead = (spot: Spot): Problem =>
  config(
    spot,
    'MISSING_KEY',
    '"release" is missing, and so is "pipeline"',
    'Write `release: { name: NAME, version: VERSION }` to publish a version, or `pipeline: { name: NAME, label: date }` to run under a label.',
  );

export const twoHeads = (spot: Spot): Problem =>
  config(
    spot,
    'WRONG_VALUE',
    'the file has both "release" and "pipeline"',
    'Keep `release` to publish a version, or `pipeline` to run under a label.',
  );

export const labelOfRelease = (spot: Spot, label: string): Problem =>
  config(
    spot,
    'LABEL_NOT_TAKEN',
    `the file describes a release, which has a version and takes no label ${shown(label)}`,
    'Leave `--label` out, or write `pipeline: { name: NAME, label: date }` in place of `release`.',
  );

export const labelWithoutCommit = (spot: Spot): Problem =>
  config(
    spot,
    'LABEL_WITHOUT_COMMIT',
    'the label is the commit, and the source is an sdist, which has none',
    'Write `label: date` or `label: minute`, or give one with `--label`.',
  );
