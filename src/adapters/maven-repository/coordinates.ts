import type { Artifact } from '../../model/artifact.js';

export interface Coordinates {
  readonly groupId: string;
  readonly artifactId: string;
  readonly version: string;
}

/** Empty where a label is missing. */
export const coordinatesOf = ({ labels }: Artifact): Coordinates => ({
  groupId: labels['groupId'] ?? '',
  artifactId: labels['artifactId'] ?? '',
  version: labels['version'] ?? '',
});

/** Folder of an artifact's versions, with a slash at the end: `org/example/skiff/`. */
export const artifactFolder = ({ groupId, artifactId }: Coordinates): string =>
  `${groupId.split('.').join('/')}/${artifactId}/`;

/** Path of a file in a Maven 2 repository: maven.apache.org/repository/layout.html. */
export function mavenPath(artifact: Artifact): string {
  const at = coordinatesOf(artifact);
  return `${artifactFolder(at)}${at.version}/${artifact.name}`;
}
