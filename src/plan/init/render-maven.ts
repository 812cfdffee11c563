import type { MavenProject } from './project.js';
import { comment, map, scalar, nameOf, type Sections } from './yaml.js';

export const mavenSections = (projects: readonly MavenProject[]): Sections => ({
  jars: [comment(`JARs and POMs, built by Maven${modulesOf(projects)}. ${WITH}`), 'jars:', ...projects.map(jarOf)],
  tests: [
    ...(projects.length > 0
      ? [
          comment(
            'CHOOSE a test that uses the JARs; `in: jvm` has them, and what their POMs need, as $CLASSPATH. Without one they are built and not run.',
          ),
          '# tests:',
          `#   jvm: { needs: [jars/${nameOf(projects[0]!.name)}], in: jvm, run: 'java {files}/Smoke.java', expect: a line that it prints }`,
        ]
      : []),
  ],
  publish: ['  maven: { kind: maven, files: [jars/*] }'],
});

const WITH = '`with` adds JARs that the POM does not attach itself.';

const modulesOf = (projects: readonly MavenProject[]): string => {
  const modules = projects.flatMap(({ modules: all }) => all);
  if (modules.length === 0) return '';
  return `: all modules (${modules.slice(0, 6).join(', ')}${modules.length > 6 ? ' …' : ''}); \`modules: [NAME]\` takes some`;
};

const jarOf = ({ name, folder, attaches }: MavenProject): string =>
  `  ${nameOf(name)}: ${map({
    builder: 'maven',
    folder: folder === '' ? null : scalar(folder),
    with: attaches === true ? null : '[sources, javadoc]',
  })}`;
