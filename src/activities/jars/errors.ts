import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';

type Lines = readonly string[];

export const jarSourceMissing = problem.config((step: string) => [
  'JAR_SOURCE_MISSING',
  `${step} has no source among what it needs`,
  "JARs are built from the release's source; `slipway plan --json` shows the edges of the step.",
]);
export const pomMissing = problem.config((step: string, folder: string) => [
  'POM_MISSING',
  `${step}: the source has no pom.xml in ${folder || 'its top folder'}`,
  'Name the folder of the pom.xml with `folder:`, or build with `builder: command`.',
]);
export const pomVersionDiffers = problem.product((coordinate: string, found: string, release: string) => [
  'POM_VERSION_DIFFERS',
  `the POM of ${coordinate} says version ${found}; this release is ${release}`,
  `Set the POM's version to ${release} in the source, or release ${found}.`,
]);
export const jarEmpty = problem.product((jar: string, content: string) => [
  'JAR_EMPTY',
  `${jar} holds ${content}`,
  'Read the log of the step: a source without Java files, a skipped compiler, an unusual source folder, a wrong packaging. For a marker artifact write `accept: { JAR_EMPTY: why it is empty }` under its entry in `jars`.',
]);
export const classTooNew = problem.product((jar: string, file: string, found: number, java: number, more: number) => [
  'CLASS_TOO_NEW',
  `${jar}: ${file} is compiled for Java ${found}, and \`java: ${java}\` promises Java ${java}${more === 0 ? '' : `; so are ${more} more classes`}`,
  `Set maven.compiler.release to ${java} in the POM, look for a dependency that is packed into the JAR, or raise \`java:\`.`,
]);
export const nothingBuilt = problem.product((step: string, where: string) => [
  'NO_JAR_BUILT',
  `${step} ended with status 0 and left no JAR and no POM ${where}`,
  'For `builder: command` name them under `outputs:`; for Maven see whether `maven.deploy.skip` is set.',
]);
export const mavenFailed = problem.product((goal: string, code: number, evidence: Lines) => [
  'MAVEN_FAILED',
  `Maven ended with status ${code} in ${goal}`,
  'The last lines say why; `slipway logs` of this step shows all of it.',
  { evidence, details: { exitCode: code } },
]);

export const mavenUnreachable = (goal: string, evidence: Lines): Problem => ({
  code: 'MAVEN_REPOSITORY_UNREACHABLE',
  class: 'infra',
  service: 'maven-repository',
  message: `Maven could not fetch what ${goal} needs`,
  next: 'See in the last lines which repository did not answer; then run the release again.',
  evidence,
});

export const attachedTwice = problem.config((evidence: Lines) => [
  'MAVEN_ATTACHED_TWICE',
  'the POM attaches its sources or javadoc itself, and the release file asks for them too',
  'Leave that one out of `with:`.',
  { evidence },
]);
export const jarsTimedOut = problem.product((step: string, limitMs: number, evidence: Lines) => [
  'JARS_TIMED_OUT',
  `${step} was still building after ${Math.round(limitMs / 1000)} s`,
  'See in the last lines what it was doing; a build that needs longer says so with `timeout:`.',
  { evidence },
]);
export const jarCommandMissing = problem.config((step: string) => [
  'JAR_COMMAND_MISSING',
  `${step} is built by a command and names none`,
  'Write `run:` and `outputs:` under it in the release file.',
]);
export const jarCommandFailed = problem.product((step: string, line: string, code: number, evidence: Lines) => [
  'JAR_COMMAND_FAILED',
  `the ${line} of ${step} ended with status ${code}`,
  `\`slipway logs ${step}\` shows all of its output.`,
  { evidence, details: { exitCode: code } },
]);
export const coordinatesUnknown = problem.product((file: string) => [
  'JAR_COORDINATES_UNKNOWN',
  `${file} has no POM beside it, so its Maven coordinates are unknown`,
  'Let the command leave NAME-VERSION.pom beside NAME-VERSION.jar and name both under `outputs:`.',
]);
