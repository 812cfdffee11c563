import { payloadCodecs } from '../../src/adapters/temporal/codec/data-converter.js';

/** The data converter of clients without keys. */
export const CONVERTER = { payloadCodecs: payloadCodecs() };

/** The data converter of workers without keys. */
export const WORKER_CONVERTER = { payloadCodecs: payloadCodecs([], 'worker') };
