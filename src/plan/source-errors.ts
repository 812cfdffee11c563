import type { Problem } from '../model/failure.js';
import { shown, type Spot } from './errors.js';

const config = (spot: Spot, code: string, message: string, next: string): Problem => ({
  ...{ code, class: 'config' as const, message, next },
  ...spot,
});

export const unknownSource = (spot: Spot, name: string, hint: string): Problem =>
  config(
    spot,
    'UNKNOWN_SOURCE',
    `${shown(name)} names no source of this file${hint}`,
    'Write an entry of `sources:`, or the name of one.',
  );

export const noSource = (spot: Spot, id: string): Problem =>
  config(
    spot,
    'UNKNOWN_SOURCE',
    `${id} needs a source, and this file has only named ones`,
    'Write `source: NAME` there, with a name of `sources:`.',
  );

export const otherSource = (spot: Spot, own: string, sdist: string, theirs: string | null): Problem =>
  config(
    spot,
    'SOURCE_DIFFERS',
    `it is built from sdists/${sdist}, whose source is ${theirs === null ? 'that of the file' : shown(theirs)}, not ${shown(own)}`,
    'Take `source` away here, or need an sdist of that source.',
  );

export const sourceNameTaken = (spot: Spot, name: string): Problem =>
  config(
    spot,
    'SOURCE_NAME_TAKEN',
    `the source ${shown(name)} has the name of the file's own source`,
    'Rename the entry of `sources:`, for instance to NAME-VERSION.',
  );
