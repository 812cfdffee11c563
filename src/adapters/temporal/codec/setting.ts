/** Reference to the payload encryption keys: `file:/path`, `command:LINE` or `$NAME`. */
export const CODEC_SETTING = 'SLIPWAY_CODEC_KEYS';
