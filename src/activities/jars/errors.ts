import type { Problem } from '../../model/failure.js';

type Lines = readonly string[];

export const jarSourceMissing = (step: string): Problem => ({
  code: 'JAR_SOURCE_MISSING',
  class: 'config',
  message: `${step} has no source among what it needs`,
  next: "JARs are built from the release's source; `slipway plan --json` shows the edges of the step.",
});

export const pomMissing = (step: string, folder: string): Problem => ({
  code: 'POM_MISSING',
  class: 'config',
  message: `${step}: the source has no pom.xml in ${folder || 'its top folder'}`,
  next: 'Name the folder of the pom.xml with `folder:`, or build with `builder: command`.',
});

export const pomVersionDiffers = (coordinate: string, found: string, release: string): Problem => ({
  code: 'POM_VERSION_DIFFERS',
  class: 'product',
  message: `the POM of ${coordinate} says version ${found}; this release is ${release}`,
  next: `Set the POM's version to ${release} in the source, or release ${found}.`,
});

export const jarEmpty = (jar: string, content: string): Problem => ({
  code: 'JAR_EMPTY',
  class: 'product',
  message: `${jar} holds ${content}`,
  next: 'Read the log of the step: a source without Java files, a skipped compiler, an unusual source folder, a wrong packaging. For a marker artifact write `accept: { JAR_EMPTY: why it is empty }` under its entry in `jars`.',
});

export const nothingBuilt = (step: string, where: string): Problem => ({
  code: 'NO_JAR_BUILT',
  class: 'product',
  message: `${step} ended with status 0 and left no JAR and no POM ${where}`,
  next: 'For `builder: command` name them under `outputs:`; for Maven see whether `maven.deploy.skip` is set.',
});

export const mavenFailed = (goal: string, code: number, evidence: Lines): Problem => ({
  code: 'MAVEN_FAILED',
  class: 'product',
  message: `Maven ended with status ${code} in ${goal}`,
  next: 'The last lines say why; `slipway logs` of this step shows all of it.',
  evidence,
  details: { exitCode: code },
});

export const mavenUnreachable = (goal: string, evidence: Lines): Problem => ({
  code: 'MAVEN_REPOSITORY_UNREACHABLE',
  class: 'infra',
  service: 'maven-repository',
  message: `Maven could not fetch what ${goal} needs`,
  next: 'See in the last lines which repository did not answer; then run the release again.',
  evidence,
});

export const attachedTwice = (evidence: Lines): Problem => ({
  code: 'MAVEN_ATTACHED_TWICE',
  class: 'config',
  message: 'the POM attaches its sources or javadoc itself, and the release file asks for them too',
  next: 'Leave that one out of `with:`.',
  evidence,
});

export const jarsTimedOut = (step: string, limitMs: number, evidence: Lines): Problem => ({
  code: 'JARS_TIMED_OUT',
  class: 'product',
  message: `${step} was still building after ${Math.round(limitMs / 1000)} s`,
  next: 'See in the last lines what it was doing; a build that needs longer says so with `timeout:`.',
  evidence,
});

export const jarCommandMissing = (step: string): Problem => ({
  code: 'JAR_COMMAND_MISSING',
  class: 'config',
  message: `${step} is built by a command and names none`,
  next: 'Write `run:` and `outputs:` under it in the release file.',
});

export const jarCommandFailed = (step: string, code: number, evidence: Lines): Problem => ({
  code: 'JAR_COMMAND_FAILED',
  class: 'product',
  message: `the command of ${step} ended with status ${code}`,
  next: `\`slipway logs ${step}\` shows all of its output.`,
  evidence,
  details: { exitCode: code },
});

export const coordinatesUnknown = (file: string): Problem => ({
  code: 'JAR_COORDINATES_UNKNOWN',
  class: 'product',
  message: `${file} has no POM beside it, so its Maven coordinates are unknown`,
  next: 'Let the command leave NAME-VERSION.pom beside NAME-VERSION.jar and name both under `outputs:`.',
});
