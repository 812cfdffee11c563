import { elementsAt, readXml, textAt } from '../xml.js';

/** The part of a POM that init reads. */
export interface Pom {
  readonly groupId: string | null;
  readonly artifactId: string | null;
  readonly version: string | null;
  /** `groupId:artifactId` of the parent. Null without one. */
  readonly parent: string | null;
  readonly modules: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
  /** Artifact ids of plugins that every build runs, without those of profiles and pluginManagement. */
  readonly plugins: readonly string[];
}

/** Reads a POM in linear time. Null if it is no POM. */
export function readPom(text: string): Pom | null {
  const project = readXml(text);
  if (project?.name !== 'project') return null;
  const textsAt = (...path: string[]): readonly string[] => elementsAt(project, ...path).map((one) => one.text);
  const parent = textAt(project, 'parent', 'artifactId');
  return {
    groupId: textAt(project, 'groupId') ?? textAt(project, 'parent', 'groupId'),
    artifactId: textAt(project, 'artifactId'),
    version: textAt(project, 'version') ?? textAt(project, 'parent', 'version'),
    parent: parent === null ? null : `${textAt(project, 'parent', 'groupId')}:${parent}`,
    modules: textsAt('modules', 'module'),
    properties: Object.fromEntries(
      (elementsAt(project, 'properties')[0]?.children ?? []).map(({ name, text: value }) => [name, value]),
    ),
    plugins: textsAt('build', 'plugins', 'plugin', 'artifactId'),
  };
}
