import { parseSdistName, parseWheelName, type WheelName } from '../../model/python/file-name.js';
import { isAdmitted, parseSpecifiers, type Specifier } from '../../model/python/specifier.js';
import { normalForm, parseVersion, type Version } from '../../model/python/version.js';
import { wheelFits } from '../../model/python/wheel-tags.js';
import type { IndexFile } from '../asks.js';
import type { Target } from './target.js';

/** A file of the index whose name says what it is. */
export interface File extends Pick<IndexFile, 'file' | 'version' | 'sha256' | 'requiresPython' | 'yanked'> {
  /** Null: an sdist. */
  readonly wheel: WheelName | null;
  readonly parsed: Version | null;
  /** Null: any Python; also if the field is none that PEP 440 allows, because installers ignore it then. */
  readonly requires: readonly Specifier[] | null;
  readonly hasInvalidRequires: boolean;
}

/** Returns the wheels and sdists among the files of a project's page. */
export function filesOf(project: string, files: readonly IndexFile[]): readonly File[] {
  const specifiersIn = remembered(parseSpecifiers);
  const versionIn = remembered(parseVersion);
  return files.flatMap(({ file, version, sha256, requiresPython, yanked }) => {
    const wheel = parseWheelName(file);
    if (wheel === null && parseSdistName(file, project) === null) return [];
    const requires = requiresPython === null ? null : specifiersIn(requiresPython);
    const hasInvalidRequires = requiresPython !== null && requires === null;
    const parsed = versionIn(version);
    return [{ file, version, sha256, requiresPython, yanked, wheel, parsed, requires, hasInvalidRequires }];
  });
}

/** Parses each text once: files of one version share most fields. */
function remembered<T>(parse: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (!known.has(text)) known.set(text, parse(text));
    return known.get(text)!;
  };
}

/** Whether a file is of a version as a list writes it. `===` compares texts. */
export function isOfVersion({ version, parsed }: File, pin: Pin): boolean {
  if (version === pin.text) return true;
  if (parsed === null) return false;
  return pin.isText
    ? normalForm(parsed) === pin.text.toLowerCase()
    : pin.clause !== null && isAdmitted(parsed, [pin.clause]);
}

/** The one version that a requirement allows. */
export interface Pin {
  readonly text: string;
  /** Written with `===`. */
  readonly isText: boolean;
  readonly clause: Specifier | null;
}

/** Whether the Python of a target is one that the file is for. */
export const admitsPython = ({ requires }: File, { version }: Target): boolean =>
  requires === null || isAdmitted(version, requires);

export const isFitting = ({ wheel }: File, { tags }: Target): boolean => wheel !== null && wheelFits(wheel, tags);

/** Preference among sdists of one version: the form of PEP 625 first. */
const FORMS = ['.tar.gz', '.zip', '.tar.bz2'];
export const sdistsOf = (files: readonly File[]): readonly File[] =>
  files.filter(({ wheel }) => wheel === null).toSorted((a, b) => formOf(a) - formOf(b) || (a.file < b.file ? -1 : 1));
const formOf = ({ file }: File): number => FORMS.findIndex((form) => file.endsWith(form));
