import type { Problem } from '../../../model/failure.js';

/** Reference to the payload encryption keys: `file:/path`, `command:LINE` or `$NAME`. */
export const CODEC_SETTING = 'SLIPWAY_CODEC_KEYS';

const config = (code: string, message: string, next: string): Problem => ({ code, class: 'config', message, next });

const FORM =
  'one line for each key, the newest first: its id, a blank, 32 bytes in base64 (`slipway codec key` makes one)';

export const codecNotNamed = (): Problem =>
  config(
    'CODEC_KEYS_NOT_NAMED',
    `${CODEC_SETTING} is not a reference`,
    `Keys are named, never written: ${CODEC_SETTING}=file:/path, =command:LINE or =$NAME.`,
  );

export const codecKeysUnreadable = (reference: string, why: string): Problem =>
  config(
    'CODEC_KEYS_UNREADABLE',
    `${CODEC_SETTING} names ${reference}, and ${why}`,
    `Write there ${FORM}. Use the same keys for every worker, CLI and codec server.`,
  );

export const codecKeyMalformed = (reference: string, line: number, why: string): Problem =>
  config(
    'CODEC_KEY_MALFORMED',
    `line ${line} of ${reference}, which ${CODEC_SETTING} names, ${why}`,
    `Correct that line. The file has ${FORM}.`,
  );

export const codecKeyMissing = (id: string, known: readonly string[]): Problem =>
  config(
    'CODEC_KEY_MISSING',
    `a payload is encrypted with the key ${JSON.stringify(id)}, which is not here${known.length === 0 ? `: ${CODEC_SETTING} is not set` : `: there is ${known.join(', ')}`}`,
    `Set ${CODEC_SETTING} to a reference to this key for every worker and client, then start them again: the run continues.`,
  );

export const codecPayloadDamaged = (id: string): Problem => ({
  code: 'CODEC_PAYLOAD_DAMAGED',
  class: 'bug',
  message: `a payload is marked as encrypted with the key ${JSON.stringify(id)}, which does not decrypt it`,
  next: `The id names another key in ${CODEC_SETTING} by now, or the payload was altered. Restore the old key under this id, and give each new key a new id.`,
});

export const codecPortTaken = (port: number, why: string): Problem =>
  config(
    'CODEC_PORT_TAKEN',
    `the codec server cannot listen on port ${port}: ${why}`,
    'Name another: `slipway codec serve --port 8889`.',
  );

export const codecQuestionTooLarge = (most: number): Problem =>
  config(
    'CODEC_QUESTION_TOO_LARGE',
    `one request has more than ${most} bytes`,
    'Send fewer payloads in one request: Temporal itself takes no payload of that size.',
  );
