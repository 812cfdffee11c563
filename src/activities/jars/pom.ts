import { anyBelow, elementsAt, readXml, textAt } from '../../plan/xml.js';

/** The values that Slipway reads from a POM itself; inherited and computed values are missing. */
export interface Pom {
  readonly groupId: string | null;
  readonly artifactId: string | null;
  readonly version: string | null;
  readonly packaging: string;
  readonly modules: readonly string[];
  /** True if it has a parent, or binds goals or extensions. Only Maven's whole lifecycle builds it correctly. */
  readonly ownLifecycle: boolean;
}

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
