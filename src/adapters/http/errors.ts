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

export const targetDenied = (target: string, url: string, status: number): Problem => ({
  code: 'TARGET_DENIED',
  class: 'denied',
  message: `${target} refused the credential (HTTP ${status}) at ${url}`,
  next: 'Check the username and password references of this target in the profile, and that their variables are set.',
});

/** @param origin null: the profile names no address */
export const credentialNotSent = (target: string, url: string, origin: string | null): Problem => ({
  code: 'CREDENTIAL_NOT_SENT',
  class: 'denied',
  message: `${target}: ${url} asks for a credential, and it is not at ${origin ?? 'an address of the profile'}: the target redirected or linked there, and no credential was sent`,
  next: 'Write the address that files are read from into the profile as `address`; or let the target serve them itself.',
});

export const realmAbsent = (target: string, url: string, challenge: string): Problem => ({
  code: 'TOKEN_REALM_ABSENT',
  class: 'config',
  message: `${target} at ${url} asks for a token and does not say at which address: ${JSON.stringify(challenge.slice(0, 200))} has no address as realm`,
  next: 'Check `address` of this target in the profile; a registry answers with www-authenticate: Bearer realm="https://…".',
});

export const realmForeign = (target: string, url: string, realm: string, why: string): Problem => ({
  code: 'TOKEN_REALM_FOREIGN',
  class: 'config',
  message: `${target} at ${url} wants its credential sent to ${realm}: ${why}`,
  next: "If that is the registry's own token server, write `realm:` with that address beside `address` in the profile.",
});

export const targetRefused = (target: string, what: string, evidence: readonly string[]): Problem => ({
  code: 'TARGET_REFUSED',
  class: 'config',
  message: `${target} refused ${what}`,
  next: 'Fix what the lines below name: they are its own words.',
  evidence,
});

export const targetBroken = (target: string, url: string, status: number): Problem => ({
  code: 'TARGET_BROKEN',
  class: 'infra',
  service: targetService(target),
  message: `${target} answered HTTP ${status} at ${url}`,
  next: 'The step retries. If it stays so, read the log of the server.',
});

export const targetTooLarge = (target: string, url: string): Problem => ({
  code: 'TARGET_TOO_LARGE',
  class: 'config',
  message: `${target} refuses a file of that size (HTTP 413) at ${url}`,
  next: 'Make the file smaller, or ask the owner of the target for a higher limit. Write the limit as `maxFileMiB` into the profile: it is then checked before anything is built.',
});

/** @param limit in words: `32 MiB` */
export const answerTooLarge = (from: string, url: string, what: string, limit: string): Problem => ({
  code: 'ANSWER_TOO_LARGE',
  class: 'config',
  message: `${from} answered with more than ${limit}, asked for ${what} at ${url}`,
  next: 'Check that the address in the profile is the right server; ask its owner what it sends.',
});

export const answerCodedTwice = (from: string, url: string, what: string, codings: string): Problem => ({
  code: 'ANSWER_CODED_TWICE',
  class: 'config',
  message: `${from} stacked the codings ${JSON.stringify(codings)}, asked for ${what} at ${url}: few bytes can then become any number`,
  next: 'Ask the owner of the server for answers with one content coding, or none.',
});

export const answerNotJson = (from: string, url: string, what: string): Problem => ({
  code: 'ANSWER_NOT_JSON',
  class: 'config',
  message: `${from} answered with no JSON, asked for ${what} at ${url}`,
  next: 'Check `kind` and `address` of this target in the profile; open the address to see what answers there.',
});

export const targetNotUnderstood = (target: string, url: string, what: string): Problem => ({
  code: 'TARGET_NOT_UNDERSTOOD',
  class: 'config',
  message: `${target} at ${url} does not answer like ${what}`,
  next: 'Check `kind` and `address` of this target in the profile.',
});

export const targetNameUnknown = (target: string, name: string): Problem => ({
  code: 'TARGET_NAME_UNKNOWN',
  class: 'config',
  message: `${target}: ${JSON.stringify(name)} is neither an address nor a repository name that twine knows`,
  next: 'Write the address of the index in the profile (https://…/), or one of the names that twine knows by itself.',
});

export const jarWithoutCoordinates = (target: string, file: string): Problem => ({
  code: 'JAR_WITHOUT_COORDINATES',
  class: 'config',
  message: `${target} cannot take ${file}: it has no groupId, artifactId and version`,
  next: 'Make the command write a POM beside the JAR, in a repository layout or named after it.',
});

export const stagingMissing = (target: string): Problem => ({
  code: 'STAGING_MISSING',
  class: 'infra',
  service: STAGING,
  message: `${target}: the staging registry, which images are copied from, is down`,
  next: 'Type `slipway up`, then start the release again.',
});

export const notStaged = (reference: string): Problem => ({
  code: 'NOT_STAGED',
  class: 'infra',
  message: `the staging registry no longer has ${reference}`,
  next: 'Start the release again: it builds and stages the image again.',
});

export const targetWithoutExtra = (target: string, kind: string): Problem => ({
  code: 'TARGET_WITHOUT_EXTRA',
  class: 'bug',
  message: `the plan lacks the settings that ${target} needs as a target of kind ${kind}`,
  next: 'Nothing was uploaded. Please report this with the output of `slipway plan --json`.',
});
