import { anyBelow, elementsAt, readXml, textAt } from '../../plan/xml.js';

/** The values of a POM that we read: its own only, nothing inherited or computed. */
export interface Pom {
  readonly groupId: string | null;
  readonly artifactId: string | null;
  readonly version: string | null;
  readonly packaging: string;
  readonly modules: readonly string[];
  /** It inherits, or binds goals of its own: only its whole lifecycle builds what its authors meant. */
  readonly ownLifecycle: boolean;
}

/** Reads the direct children of `<project>`; Maven itself reads all the rest. */
export function readPom(xml: string): Pom {
  const project = readXml(xml);
  const builds = elementsAt(project, 'build');
  return {
    groupId: textAt(project, 'groupId') ?? textAt(project, 'parent', 'groupId'),
    artifactId: textAt(project, 'artifactId'),
    version: textAt(project, 'version') ?? textAt(project, 'parent', 'version'),
    packaging: textAt(project, 'packaging') ?? 'jar',
    modules: elementsAt(project, 'modules', 'module').flatMap(({ text }) => (text === '' ? [] : [text])),
    ownLifecycle:
      elementsAt(project, 'parent').length > 0 ||
      builds.some((build) =>
        anyBelow(build, ({ name, text }) => name === 'execution' || (name === 'extensions' && text === 'true')),
      ),
  };
}
