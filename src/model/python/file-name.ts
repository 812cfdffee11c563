import { normalForm, parseVersion } from './version.js';

/** The normal form of a project's name (PEP 503): `Sea_Skiff` is `sea-skiff`. */
export const normalName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** Project and version as file names spell them (PEP 427, PEP 625): `sea_skiff-1.0rc1`. A version outside PEP 440 is
 * unchanged. */
export function fileStem(project: string, version: string): string {
  const parsed = parseVersion(version);
  return `${normalName(project).replaceAll('-', '_')}-${parsed ? normalForm(parsed) : version}`;
}

/** Parts of the name of a wheel or sdist, as spelled there. */
export interface FileName {
  readonly project: string;
  readonly version: string;
}

/** Parts of the name of a wheel (packaging.python.org/specifications/binary-distribution-format). */
export interface WheelName extends FileName {
  readonly pythons: readonly string[];
  readonly abis: readonly string[];
  readonly platforms: readonly string[];
}

/** Parses a name of five parts, or six with a build number. Null if installers refuse the name. */
export function parseWheelName(file: string): WheelName | null {
  if (!file.endsWith('.whl')) return null;
  const parts = file.slice(0, -'.whl'.length).split('-');
  if (parts.length !== 5 && parts.length !== 6) return null;
  const [project = '', version = ''] = parts;
  const build = parts.length === 6 ? parts[2]! : '0';
  const [pythons = [], abis = [], platforms = []] = parts.slice(-3).map((tags) => tags.split('.'));
  if (!/^[\p{L}\p{N}_.]+$/u.test(project) || project.includes('__') || !parseVersion(version)) return null;
  if (!/^\d/.test(build) || !pythons.every((tag) => /^[a-z_]\w*$/i.test(tag))) return null;
  if (![...abis, ...platforms].every((tag) => tag !== '')) return null;
  return { project, version, pythons, abis, platforms };
}

/** Returns the build number in a wheel's name. Null without one. */
export function buildNumberOf(file: string): number | null {
  const parts = file.split('-');
  return parts.length === 6 ? Number(/^\d+/.exec(parts[2]!)?.[0] ?? 0) : null;
}

/** Parses the name of an sdist (packaging.python.org/specifications/source-distribution-format). Null for another
 * extension or no dash.
 * @param project decides where the version begins in old names with further dashes; without it the last dash decides */
export function parseSdistName(file: string, project?: string): FileName | null {
  const stem = /^(.+)\.(?:tar\.gz|zip|tar\.bz2)$/.exec(file)?.[1];
  if (stem === undefined) return null;
  const dashes = [...stem.matchAll(/-/g)].map(({ index }) => index);
  const cut =
    project === undefined ? dashes.at(-1) : dashes.find((at) => normalName(stem.slice(0, at)) === normalName(project));
  if (!cut || cut === stem.length - 1) return null;
  return { project: stem.slice(0, cut), version: stem.slice(cut + 1) };
}

/** Parses the name of a wheel or sdist. Null for any other file. */
export const parseFileName = (file: string): FileName | null =>
  file.endsWith('.whl') ? parseWheelName(file) : parseSdistName(file);

/** Returns the version in the name of a project's wheel or sdist. Null for another project or any other file. */
export function versionInName(project: string, file: string): string | null {
  const name = file.endsWith('.whl') ? parseWheelName(file) : parseSdistName(file, project);
  return name !== null && normalName(name.project) === normalName(project) ? name.version : null;
}
