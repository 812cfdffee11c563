import type { Artifact } from '../../model/artifact.js';

export interface Coordinates {
  readonly groupId: string;
  readonly artifactId: string;
  readonly version: string;
}

/** Returns the text if it is safe in paths and XML, else ''. POMs are untrusted; the rule for ids is Maven's own. */
const sound = (text: string | undefined): string =>
  text !== undefined && /^[\w.+-]+$/.test(text) && !/^\.|\.\.|\.$/.test(text) ? text : '';

/** A field is empty if its label is missing or unsafe in a path. */
export const coordinatesOf = ({ labels }: Artifact): Coordinates => ({
  groupId: sound(labels['groupId']),
  artifactId: sound(labels['artifactId']),
  version: sound(labels['version']),
});

/** Returns the folder of all versions with a trailing slash: `org/example/skiff/`. */
export const artifactFolder = ({ groupId, artifactId }: Coordinates): string =>
  `${groupId.split('.').join('/')}/${artifactId}/`;

/** Path of a file in a Maven 2 repository. Source: Maven, "Repository Layout". */
export function mavenPath(artifact: Artifact): string {
  const at = coordinatesOf(artifact);
  return `${artifactFolder(at)}${at.version}/${artifact.name}`;
}
