import type { Problem } from '../../model/failure.js';
import { signaturesIncomplete } from '../maven-repository/errors.js';
import { isSignature, judgeSignatures } from '../maven-repository/signatures.js';
import { centralIncomplete } from './errors.js';

/** Returns the problems that the portal would find only after minutes. Source: "Requirements" of Maven Central.
 * @param names paths in a Maven repository */
export function judgeRelease(target: string, names: readonly string[]): readonly Problem[] {
  const signed = names.some(isSignature) ? judgeSignatures(target, names) : [signaturesIncomplete(target, names, [])];
  const lacks = [...new Set(names.filter((name) => !isSignature(name)).map(folderOf))].flatMap((folder) =>
    lacking(folder, new Set(names)),
  );
  return [...signed, ...(lacks.length > 0 ? [centralIncomplete(target, lacks)] : [])];
}

/** `org/example/skiff/1.2.3` */
export const folderOf = (name: string): string => name.slice(0, name.lastIndexOf('/'));

export function coordinatesAt(folder: string): { namespace: string; name: string; version: string } {
  const parts = folder.split('/');
  return { namespace: parts.slice(0, -2).join('.'), name: parts.at(-2) ?? '', version: parts.at(-1) ?? '' };
}

function lacking(folder: string, names: ReadonlySet<string>): readonly string[] {
  const { name, version } = coordinatesAt(folder);
  const file = (rest: string): string => `${folder}/${name}-${version}${rest}`;
  const needed = names.has(file('.jar')) ? ['.pom', '-sources.jar', '-javadoc.jar'] : ['.pom'];
  return [
    ...(version.endsWith('-SNAPSHOT') ? [`${name} ${version} is a snapshot`] : []),
    ...needed.filter((rest) => !names.has(file(rest))).map((rest) => `${name}-${version}${rest} is missing`),
  ];
}
