/** Where keys are found that encrypt what Temporal keeps: a reference, `file:/path`, `command:LINE` or `$NAME`. */
export const CODEC_SETTING = 'SLIPWAY_CODEC_KEYS';
