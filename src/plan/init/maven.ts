import { textOf, type Folder } from './lookup.js';
import { readPom, type Pom } from '../pom.js';
import type { MavenProject, VersionFact } from './project.js';
import { versionIn } from './python-version.js';

/** Finds a Maven project in this folder, with all of its modules. Null if there is none. */
export function mavenProject(folder: Folder): MavenProject | null {
  const text = textOf(folder, 'pom.xml');
  const pom = text === null ? null : readPom(text);
  if (pom === null || !pom.isProject) return null;
  return {
    kind: 'maven',
    folder: folder.path,
    file: 'pom.xml',
    name: pom.artifactId ?? folder.checkout.name,
    version: versionOf(folder, pom),
    modules: pom.modules,
    attaches: attachesOf(pom),
  };
}

/** Returns a version that one expression finds in the POM. `${revision}` is a property. */
function versionOf(folder: Folder, { version, artifactId, properties }: Pom): VersionFact | null {
  if (version === null) return null;
  const property = /^\$\{([\w.-]+)\}$/.exec(version)?.[1];
  const value = property === undefined ? version : properties[property];
  if (value === undefined || value.includes('$')) return null;
  const tries = [
    ...(property === undefined ? [] : [`<${escaped(property)}>([^<]+)<`]),
    `<artifactId>${escaped(artifactId ?? '')}</artifactId>\\s*<version>([^<]+)<`,
    '</parent>[\\s\\S]*?<version>([^<]+)<',
    '<version>([^<]+)<',
  ];
  const found = tries.map((match) => versionIn(folder, 'pom.xml', match, value)).find((one) => one !== null);
  const doubt = value.endsWith('-SNAPSHOT')
    ? 'a SNAPSHOT: a release is made from the commit that has the final version'
    : null;
  return { ...(found ?? { value }), ...(doubt !== null && { doubt }) };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Null if a parent outside the checkout may attach them. */
function attachesOf({ plugins, parent }: Pom): boolean | null {
  if (plugins.some((plugin) => plugin === 'maven-source-plugin' || plugin === 'maven-javadoc-plugin')) return true;
  return parent === null ? false : null;
}
