import type { Phase } from '#slipway/model/drill.js';

export const PHASE_NAMES: Readonly<Record<Phase, string>> = {
  begun: 'under way',
  before: 'before the effect',
  after: 'after the effect',
  recorded: 'after the record',
};
