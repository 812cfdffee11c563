import type { Problem } from '../../../model/failure.js';
import { CODEC_SETTING } from './setting.js';

const config = (code: string, message: string, next: string): Problem => ({ code, class: 'config', message, next });

const FORM =
  'one line for each key, the newest first: its id, a blank, 32 bytes in base64 (`slipway codec key` makes one)';

export const codecNotNamed = (): Problem =>
  config(
    'CODEC_KEYS_NOT_NAMED',
    `${CODEC_SETTING} holds something that is no reference`,
    `Keys are named, never written: ${CODEC_SETTING}=file:/path, =command:LINE or =$NAME.`,
  );

export const codecKeysUnreadable = (reference: string, why: string): Problem =>
  config(
    'CODEC_KEYS_UNREADABLE',
    `${CODEC_SETTING} names ${reference}, and ${why}`,
    `What stands there is ${FORM}. Every worker, CLI and codec server needs the same keys.`,
  );

export const codecKeyMalformed = (reference: string, line: number, why: string): Problem =>
  config(
    'CODEC_KEY_MALFORMED',
    `line ${line} of ${reference}, which ${CODEC_SETTING} names, ${why}`,
    `It holds ${FORM}.`,
  );

/** @param known ids of the keys that are here */
export const codecKeyMissing = (id: string, known: readonly string[]): Problem =>
  config(
    'CODEC_KEY_MISSING',
    `a payload is encrypted with the key ${JSON.stringify(id)}, which is not here${known.length === 0 ? `: ${CODEC_SETTING} is not set` : `: there is ${known.join(', ')}`}`,
    `Set ${CODEC_SETTING} to where this key stands, for every worker and for whoever asks, and start them again; the run then goes on by itself.`,
  );

export const codecPayloadDamaged = (id: string): Problem => ({
  code: 'CODEC_PAYLOAD_DAMAGED',
  class: 'bug',
  message: `a payload that says it is encrypted with the key ${JSON.stringify(id)} does not open with it`,
  next: `Either another key stands under this id in ${CODEC_SETTING}, or somebody altered the payload. Ids of keys are never used again.`,
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
    `more than ${most} bytes came in one question`,
    'Ask for fewer payloads at a time: the server itself takes no payload of that size.',
  );
