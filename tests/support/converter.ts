import { payloadCodecs } from '../../src/adapters/temporal/codec/data-converter.js';

/** The data converter of workers and clients without keys. */
export const CONVERTER = { payloadCodecs: payloadCodecs() };
