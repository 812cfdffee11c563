import { coordinatesOf } from '../../../src/activities/jars/layout.js';

describe('a path in the layout of a Maven repository', () => {
  test.each([
    ['org/skiff/skiff/1.2/skiff-1.2.jar', 'org.skiff:skiff:1.2::jar'],
    ['org/skiff/skiff/1.2/skiff-1.2.pom', 'org.skiff:skiff:1.2::pom'],
    ['org/skiff/skiff/1.2/skiff-1.2-sources.jar', 'org.skiff:skiff:1.2:sources:jar'],
    ['org/skiff/skiff/1.2/skiff-1.2-linux-x86_64.jar', 'org.skiff:skiff:1.2:linux-x86_64:jar'],
    ['org/skiff/skiff/1.2/skiff-1.2-bin.tar.gz', 'org.skiff:skiff:1.2:bin:tar.gz'],
    ['org/skiff/skiff/1-SNAPSHOT/skiff-1-20260101.010203-4.jar', 'org.skiff:skiff:1-SNAPSHOT::jar'],
  ])('given %s, then its coordinates are read', (path, expected) => {
    const { groupId, artifactId, version, classifier, extension } = coordinatesOf(path)!;
    expect(`${groupId}:${artifactId}:${version}:${classifier ?? ''}:${extension}`).toBe(expected);
  });

  test.each([
    'org/skiff/skiff/maven-metadata.xml',
    'org/skiff/skiff/maven-metadata-stage.xml.sha1',
    'org/skiff/skiff/1.2/skiff-1.2.jar.md5',
    'org/skiff/skiff/1.2/skiff-1.2.jar.asc',
    'org/skiff/skiff/1.2/other-1.2.jar',
    'skiff-1.2.jar',
  ])('given %s, then it has no coordinates', (path) => {
    expect(coordinatesOf(path)).toBeNull();
  });
});
