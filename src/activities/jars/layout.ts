export interface Coordinates {
  readonly groupId: string;
  readonly artifactId: string;
  readonly version: string;
  readonly extension: string;
  readonly classifier: string | null;
}

const NOT_OURS = /(^|\/)(maven-metadata[^/]*\.xml[^/]*|[^/]+\.(md5|sha1|sha256|sha512|asc))$/;

/** Reads a path of a Maven repository: `group/with/slashes/artifact/version/artifact-version[-classifier].extension`.
 * Null for metadata, checksums and all other paths. */
export function coordinatesOf(path: string): Coordinates | null {
  const parts = path.split('/');
  if (NOT_OURS.test(path) || parts.length < 4) return null;
  const [artifactId, version, file] = parts.slice(-3) as [string, string, string];
  const rest = tail(file, artifactId, version);
  if (rest === null) return null;
  const [, classifier, extension] = /^(?:-([^.]+(?:\.[^.]+)*?))?\.((?:tar\.)?[A-Za-z0-9]+)$/.exec(rest) ?? [];
  if (extension === undefined) return null;
  return { groupId: parts.slice(0, -3).join('.'), artifactId, version, extension, classifier: classifier ?? null };
}

/** Returns the part of a file name after `artifact-version`, or null. A snapshot's file has a timestamp instead of
 * `SNAPSHOT`. */
function tail(file: string, artifactId: string, version: string): string | null {
  const start = `${artifactId}-${version}`;
  if (file.startsWith(start)) return file.slice(start.length);
  const base = version.replace(/-SNAPSHOT$/, '');
  const timed = new RegExp(`^-${escape(base)}-\\d{8}\\.\\d{6}-\\d+`).exec(file.slice(artifactId.length));
  return version !== base && file.startsWith(artifactId) && timed
    ? file.slice(artifactId.length + timed[0].length)
    : null;
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export const labelsOf = ({ classifier, ...others }: Coordinates): Record<string, string> => ({
  ...others,
  ...(classifier === null ? {} : { classifier }),
});

export const coordinatesIn = (labels: Readonly<Record<string, string>>): Coordinates => ({
  groupId: labels['groupId'] ?? '',
  artifactId: labels['artifactId'] ?? '',
  version: labels['version'] ?? '',
  extension: labels['extension'] ?? '',
  classifier: labels['classifier'] ?? null,
});

export const coordinate = ({ groupId, artifactId }: Pick<Coordinates, 'groupId' | 'artifactId'>): string =>
  `${groupId}:${artifactId}`;
