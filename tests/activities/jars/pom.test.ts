import { readPom } from '../../../src/plan/pom.js';

const project = (inner: string): string => `<?xml version="1.0"?>\n<project xmlns="urn:example:pom">${inner}</project>`;

describe('a POM', () => {
  test('given nested coordinates, then only its own are read', () => {
    const pom = readPom(
      project(`<modelVersion>4.0.0</modelVersion><dependencies><dependency><groupId>x</groupId><artifactId>y</artifactId>
        <version>9</version></dependency></dependencies>
        <groupId> org.skiff </groupId><artifactId>skiff</artifactId><version>1.2.3</version>`),
    );
    expect(pom).toEqual({
      isProject: true,
      parent: null,
      properties: {},
      plugins: [],
      groupId: 'org.skiff',
      artifactId: 'skiff',
      version: '1.2.3',
      packaging: 'jar',
      modules: [],
      ownLifecycle: false,
    });
  });

  test.each([
    [
      'takes group and version of its parent',
      '<parent><groupId>p</groupId><version>2</version></parent>',
      { groupId: 'p', version: '2' },
    ],
    ['with a parent has a lifecycle of its own', '<parent><groupId>p</groupId></parent>', { ownLifecycle: true }],
    [
      'that binds goals has a lifecycle of its own',
      '<build><plugins><plugin><executions><execution><goals/></execution></executions></plugin></plugins></build>',
      { ownLifecycle: true },
    ],
    [
      'with a plugin that is only configured has no lifecycle of its own',
      '<build><plugins><plugin><configuration/></plugin></plugins></build>',
      { ownLifecycle: false },
    ],
    [
      'names its modules',
      '<modules><module>api</module> <module> run </module></modules>',
      { modules: ['api', 'run'] },
    ],
    ['ignores a version in a comment', '<!-- <version>9</version> --><version>1</version>', { version: '1' }],
    ['without a version has none', '<artifactId>a</artifactId>', { version: null }],
    ['that is not XML has no coordinates', '<<<>>> </project> nonsense', { artifactId: null, packaging: 'jar' }],
  ])('%s', (_, inner, expected) => {
    expect(readPom(project(inner))).toMatchObject(expected);
  });
});
