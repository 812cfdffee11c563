import type { Engine } from '../../activities/prove-queue/ports.js';
import type { Engines } from './connection.js';
import { answered } from './watched.js';

/** Requests the engine's version: an accepting socket alone is no engine. */
export const createEngineAnswer = (engines: Engines): Engine => ({
  silence: () =>
    answered(() => engines().version()).then(
      () => null,
      (error: Error) => error.message,
    ),
});
