import { parseSdistName, parseWheelName, type WheelName } from '../../model/python/file-name.js';
import { isAdmitted, parseSpecifiers, type Specifier } from '../../model/python/specifier.js';
import { normalForm, parseVersion, type Version } from '../../model/python/version.js';
import { wheelFits } from '../../model/python/wheel-tags.js';
import type { IndexFile } from '../asks.js';
import { remembered } from '../remembered.js';
import type { Target } from './target.js';

/** A file of the index whose name says what it is. */
export interface File extends Pick<IndexFile, 'file' | 'version' | 'sha256' | 'requiresPython' | 'yanked'> {
  /** Null: an sdist. */
  readonly wheel: WheelName | null;
  /** The version in its name. The index may have been asked for another text of it, or for it without its local label. */
  readonly named: string;
  readonly parsed: Version | null;
  /** Null: any Python; also if the field is none that PEP 440 allows, because installers ignore it then. */
  readonly admits: Admits | null;
  readonly hasInvalidRequires: boolean;
}

/** Whether a Requires-Python admits a Python. */
type Admits = (python: Version) => boolean;

/** Returns a function that returns the wheels and sdists among the files of a project's page. It parses each Requires-Python, and compares
 * it with a target's Python, once for all projects: there are few, and hundreds of thousands of files times targets. */
export function openFiles(): (project: string, files: readonly IndexFile[]) => readonly File[] {
  const admitsIn = remembered((text: string): Admits | null => {
    const specifiers = parseSpecifiers(text);
    return specifiers === null ? null : remembered((python: Version) => isAdmitted(python, specifiers));
  });
  return (project, files) => {
    const versionIn = remembered(parseVersion);
    return files.flatMap(({ file, version, sha256, requiresPython, yanked }) => {
      const wheel = parseWheelName(file);
      const named = (wheel ?? parseSdistName(file, project))?.version;
      if (named === undefined) return [];
      const admits = requiresPython === null ? null : admitsIn(requiresPython);
      const hasInvalidRequires = requiresPython !== null && admits === null;
      const parsed = versionIn(version);
      return [{ file, version, named, sha256, requiresPython, yanked, wheel, parsed, admits, hasInvalidRequires }];
    });
  };
}

/** Whether a file is of a version as a list writes it. `===` compares texts. */
export function isOfVersion({ version, named, parsed }: File, pin: Pin): boolean {
  if (pin.isText) return named === pin.text || normalText(named) === pin.text.toLowerCase();
  if (version === pin.text) return true;
  return parsed !== null && pin.clause !== null && isAdmitted(parsed, [pin.clause]);
}

function normalText(version: string): string | null {
  const parsed = parseVersion(version);
  return parsed === null ? null : normalForm(parsed);
}

/** The one version that a requirement allows. */
export interface Pin {
  readonly text: string;
  /** Written with `===`. */
  readonly isText: boolean;
  readonly clause: Specifier | null;
}

/** Whether the Python of a target is one that the file is for. */
export const admitsPython = ({ admits }: File, { version }: Target): boolean => admits === null || admits(version);

export const isFitting = ({ wheel }: File, { tags }: Target): boolean => wheel !== null && wheelFits(wheel, tags);

/** Preference among sdists of one version: the form of PEP 625 first. */
const FORMS = ['.tar.gz', '.zip', '.tar.bz2'];
export const sdistsOf = (files: readonly File[]): readonly File[] =>
  files.filter(({ wheel }) => wheel === null).toSorted((a, b) => formOf(a) - formOf(b) || (a.file < b.file ? -1 : 1));
const formOf = ({ file }: File): number => FORMS.findIndex((form) => file.endsWith(form));
