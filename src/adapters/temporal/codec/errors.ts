import { problem } from '../../../model/problem.js';

/** Reference to the payload encryption keys: `file:/path`, `command:LINE` or `$NAME`. */
export const CODEC_SETTING = 'SLIPWAY_CODEC_KEYS';

const FORM =
  'one line for each key, the newest first: its id, a blank, 32 bytes in base64 (`slipway codec key` makes one)';

export const codecNotNamed = problem.config(() => [
  'CODEC_KEYS_NOT_NAMED',
  `${CODEC_SETTING} is not a reference`,
  `Keys are named, never written: ${CODEC_SETTING}=file:/path, =command:LINE or =$NAME.`,
]);
export const codecKeysUnreadable = problem.config((reference: string, why: string) => [
  'CODEC_KEYS_UNREADABLE',
  `${CODEC_SETTING} names ${reference}, and ${why}`,
  `Write there ${FORM}. Use the same keys for every worker, CLI and codec server.`,
]);
export const codecKeyMalformed = problem.config((reference: string, line: number, why: string) => [
  'CODEC_KEY_MALFORMED',
  `line ${line} of ${reference}, which ${CODEC_SETTING} names, ${why}`,
  `Correct that line. The file has ${FORM}.`,
]);
export const codecKeyMissing = problem.config((id: string, known: readonly string[]) => [
  'CODEC_KEY_MISSING',
  `a payload is encrypted with the key ${JSON.stringify(id)}, which is not here${known.length === 0 ? `: ${CODEC_SETTING} is not set` : `: there is ${known.join(', ')}`}`,
  `Set ${CODEC_SETTING} to a reference to this key for every worker and client, then start them again: the run continues.`,
]);
export const codecPayloadDamaged = problem.bug((id: string) => [
  'CODEC_PAYLOAD_DAMAGED',
  `a payload is marked as encrypted with the key ${JSON.stringify(id)}, which does not decrypt it`,
  `The id names another key in ${CODEC_SETTING} by now, or the payload was altered. Restore the old key under this id, and give each new key a new id.`,
]);
export const codecPortTaken = problem.config((where: number | string, why: string) => [
  'CODEC_PORT_TAKEN',
  `the codec server cannot listen on ${typeof where === 'number' ? `port ${where}` : where}: ${why}`,
  'Name another: `slipway codec serve --port 8889`.',
]);
export const codecQuestionTooLarge = problem.config((most: number) => [
  'CODEC_QUESTION_TOO_LARGE',
  `one request has more than ${most} bytes`,
  'Send fewer payloads in one request: Temporal itself takes no payload of that size.',
]);
export const codecAnswerTooLarge = problem.config((most: number) => [
  'CODEC_ANSWER_TOO_LARGE',
  `the payloads of one request have more than ${most} bytes when they are opened`,
  'Send fewer payloads in one request. Payloads of Slipway are far smaller: look at what else wrote this history.',
]);
export const codecQuestionUnreadable = problem.config(() => [
  'CODEC_QUESTION_UNREADABLE',
  'the request is no question to a codec server',
  'Post JSON to /decode or /encode: an object whose key payloads lists objects with metadata and data, in base64.',
]);
export const codecPageUnknown = problem.denied((origin: string) => [
  'CODEC_PAGE_UNKNOWN',
  `no page of ${JSON.stringify(origin.slice(0, 100))} may ask this codec server`,
  'Name it if it may: `slipway codec serve --origin ORIGIN`.',
]);
export const codecMetadataLong = problem.conflict((most: number) => [
  'CODEC_METADATA_LONG',
  `a payload has more than ${most} entries of metadata, and Temporal's converters write three`,
  'See which client or worker wrote it: nothing of Slipway did.',
]);
