import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';
import { STAGING, targetService } from '../../model/outage.js';

/** Problems of all HTTP registries. Addresses in them have no credentials. */
export const targetUnreachable = (target: string, url: string, why: string): Problem => ({
  code: 'TARGET_UNREACHABLE',
  class: 'infra',
  service: targetService(target),
  message: `${target} does not answer at ${url}: ${why}`,
  next: 'Local targets: `slipway doctor`, then `slipway up`. Others: check the address in the profile and the network.',
});

export const targetDenied = problem.denied((target: string, url: string, status: number) => [
  'TARGET_DENIED',
  `${target} refused the credential (HTTP ${status}) at ${url}`,
  'Check the username and password references of this target in the profile, and that their variables are set.',
]);
/** @param origin null: the profile names no address */
export const credentialNotSent = problem.denied((target: string, url: string, origin: string | null) => [
  'CREDENTIAL_NOT_SENT',
  `${target}: ${url} asks for a credential, and it is not at ${origin ?? 'an address of the profile'}: the target redirected or linked there, and no credential was sent`,
  'Write the address that files are read from into the profile as `address`; or let the target serve them itself.',
]);
export const realmAbsent = problem.config((target: string, url: string, challenge: string) => [
  'TOKEN_REALM_ABSENT',
  `${target} at ${url} asks for a token and does not say at which address: ${JSON.stringify(challenge.slice(0, 200))} has no address as realm`,
  'Check `address` of this target in the profile; a registry answers with www-authenticate: Bearer realm="https://…".',
]);
export const realmForeign = problem.config((target: string, url: string, realm: string, why: string) => [
  'TOKEN_REALM_FOREIGN',
  `${target} at ${url} wants its credential sent to ${realm}: ${why}`,
  "If that is the registry's own token server, write `realm:` with that address beside `address` in the profile.",
]);
export const targetRefused = problem.config((target: string, what: string, evidence: readonly string[]) => [
  'TARGET_REFUSED',
  `${target} refused ${what}`,
  'Fix what the lines below name: they are its own words.',
  { evidence },
]);

export const targetBroken = (target: string, url: string, status: number): Problem => ({
  code: 'TARGET_BROKEN',
  class: 'infra',
  service: targetService(target),
  message: `${target} answered HTTP ${status} at ${url}`,
  next: 'The step retries. If it stays so, read the log of the server.',
});

export const targetTooLarge = problem.config((target: string, url: string) => [
  'TARGET_TOO_LARGE',
  `${target} refuses a file of that size (HTTP 413) at ${url}`,
  'Make the file smaller, or ask the owner of the target for a higher limit. Write the limit as `maxFileMiB` into the profile: it is then checked before anything is built.',
]);
/** @param limit in words: `32 MiB` */
export const answerTooLarge = problem.config((from: string, url: string, what: string, limit: string) => [
  'ANSWER_TOO_LARGE',
  `${from} answered with more than ${limit}, asked for ${what} at ${url}`,
  'Check that the address in the profile is the right server; ask its owner what it sends.',
]);
export const answerCodedTwice = problem.config((from: string, url: string, what: string, codings: string) => [
  'ANSWER_CODED_TWICE',
  `${from} stacked the codings ${JSON.stringify(codings)}, asked for ${what} at ${url}: few bytes can then become any number`,
  'Ask the owner of the server for answers with one content coding, or none.',
]);
export const answerNotJson = problem.config((from: string, url: string, what: string) => [
  'ANSWER_NOT_JSON',
  `${from} answered with no JSON, asked for ${what} at ${url}`,
  'Check `kind` and `address` of this target in the profile; open the address to see what answers there.',
]);
export const targetNotUnderstood = problem.config((target: string, url: string, what: string) => [
  'TARGET_NOT_UNDERSTOOD',
  `${target} at ${url} does not answer like ${what}`,
  'Check `kind` and `address` of this target in the profile.',
]);
export const targetNameUnknown = problem.config((target: string, name: string) => [
  'TARGET_NAME_UNKNOWN',
  `${target}: ${JSON.stringify(name)} is neither an address nor a repository name that twine knows`,
  'Write the address of the index in the profile (https://…/), or one of the names that twine knows by itself.',
]);
export const jarWithoutCoordinates = problem.config((target: string, file: string) => [
  'JAR_WITHOUT_COORDINATES',
  `${target} cannot take ${file}: it has no groupId, artifactId and version`,
  'Make the command write a POM beside the JAR, in a repository layout or named after it.',
]);

export const stagingMissing = (target: string): Problem => ({
  code: 'STAGING_MISSING',
  class: 'infra',
  service: STAGING,
  message: `${target}: the staging registry, which images are copied from, is down`,
  next: 'Type `slipway up`, then start the release again.',
});

export const notStaged = problem.infra((reference: string) => [
  'NOT_STAGED',
  `the staging registry no longer has ${reference}`,
  'Start the release again: it builds and stages the image again.',
]);
export const targetWithoutExtra = problem.bug((target: string, kind: string) => [
  'TARGET_WITHOUT_EXTRA',
  `the plan lacks the settings that ${target} needs as a target of kind ${kind}`,
  'Nothing was uploaded. Please report this with the output of `slipway plan --json`.',
]);
