import { jarContent } from '../../../src/engine/checks/jar-content.js';

const MAVEN = ['META-INF/MANIFEST.MF', 'META-INF/maven/org.skiff/skiff/pom.properties'];

test.each([
  ['a class', ['skiff/Skiff.class'], 'classes'],
  ['a text', ['skiff/words.properties'], 'resources'],
  ['a page for web servers', ['META-INF/resources/skiff.js'], 'resources'],
  ['a service', ['META-INF/services/java.sql.Driver'], 'resources'],
  ['a native library', ['META-INF/native/libskiff.so'], 'resources'],
  [
    'only files of Maven and its licence plugin',
    ['META-INF/LICENSE.txt', 'META-INF/NOTICE', 'META-INF/DEPENDENCIES'],
    'nothing',
  ],
  ['a signature', ['META-INF/SKIFF.SF', 'META-INF/SKIFF.RSA'], 'nothing'],
  ['no more', [], 'nothing'],
])('given a JAR that holds %s, then its content is classified', (_, files, content) =>
  expect(jarContent([...MAVEN, ...files])).toBe(content),
);
