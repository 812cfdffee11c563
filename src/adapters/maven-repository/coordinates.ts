import type { Artifact } from '../../model/artifact.js';

export interface Coordinates {
  readonly groupId: string;
  readonly artifactId: string;
  readonly version: string;
}

/** Maven's own rule for ids: a POM is written by others, and its words become paths and XML here. */
const sound = (text: string | undefined): string =>
  text !== undefined && /^[\w.+-]+$/.test(text) && !/^\.|\.\.|\.$/.test(text) ? text : '';

/** Empty where a label is missing, or is no name that may stand in a path. */
export const coordinatesOf = ({ labels }: Artifact): Coordinates => ({
  groupId: sound(labels['groupId']),
  artifactId: sound(labels['artifactId']),
  version: sound(labels['version']),
});

/** Folder of an artifact's versions, with a slash at the end: `org/example/skiff/`. */
export const artifactFolder = ({ groupId, artifactId }: Coordinates): string =>
  `${groupId.split('.').join('/')}/${artifactId}/`;

/** Path of a file in a Maven 2 repository, as Maven documents it under "Repository Layout". */
export function mavenPath(artifact: Artifact): string {
  const at = coordinatesOf(artifact);
  return `${artifactFolder(at)}${at.version}/${artifact.name}`;
}
