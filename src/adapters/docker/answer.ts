import type { Engine } from '../../activities/prove-queue/ports.js';
import type { Engines } from './connection.js';
import { answered } from './watched.js';

/** Asks for the engine's version: a socket that only accepts is no engine. */
export const createEngineAnswer = (engines: Engines): Engine => ({
  silence: () =>
    answered(() => engines().version()).then(
      () => null,
      (error: Error) => error.message,
    ),
});
