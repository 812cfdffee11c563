import { anyBelow, elementsAt, readXml, textAt } from './xml.js';

/** The values that Slipway reads from a POM itself; inherited and computed values are missing. */
export interface Pom {
  /** False if the text is no POM. */
  readonly isProject: boolean;
  readonly groupId: string | null;
  readonly artifactId: string | null;
  readonly version: string | null;
  /** `groupId:artifactId` of the parent. Null without one. */
  readonly parent: string | null;
  readonly packaging: string;
  readonly modules: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
  /** Artifact ids of plugins that every build runs, without those of profiles and pluginManagement. */
  readonly plugins: readonly string[];
  /** True if it has a parent, or binds goals or extensions. Only Maven's whole lifecycle builds it correctly. */
  readonly ownLifecycle: boolean;
}

/** Reads a POM in linear time. */
export function readPom(xml: string): Pom {
  const project = readXml(xml);
  const parent = textAt(project, 'parent', 'artifactId');
  const properties = elementsAt(project, 'properties')[0]?.children ?? [];
  const builds = elementsAt(project, 'build');
  return {
    isProject: project?.name === 'project',
    groupId: textAt(project, 'groupId') ?? textAt(project, 'parent', 'groupId'),
    artifactId: textAt(project, 'artifactId'),
    version: textAt(project, 'version') ?? textAt(project, 'parent', 'version'),
    parent: parent === null ? null : `${textAt(project, 'parent', 'groupId')}:${parent}`,
    packaging: textAt(project, 'packaging') ?? 'jar',
    modules: elementsAt(project, 'modules', 'module').flatMap(({ text }) => (text === '' ? [] : [text])),
    properties: Object.fromEntries(properties.map(({ name, text }) => [name, text])),
    plugins: elementsAt(project, 'build', 'plugins', 'plugin', 'artifactId').map(({ text }) => text),
    ownLifecycle:
      elementsAt(project, 'parent').length > 0 ||
      builds.some((build) =>
        anyBelow(build, ({ name, text }) => name === 'execution' || (name === 'extensions' && text === 'true')),
      ),
  };
}
