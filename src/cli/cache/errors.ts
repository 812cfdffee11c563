import type { Problem } from '../../model/failure.js';

export const noSuchCacheAction = (action: string, known: readonly string[]): Problem => ({
  code: 'CACHE_ACTION_UNKNOWN',
  class: 'config',
  message: `slipway cache does not know ${JSON.stringify(action.slice(0, 80))}`,
  next: `Type one of these: ${known.map((name) => `\`slipway cache ${name}\``).join(', ')}.`,
});
