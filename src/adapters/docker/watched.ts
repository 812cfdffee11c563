import { setTimeout as pause } from 'node:timers/promises';
import type { Engines } from './connection.js';

/** Longest time in which a living engine answers a cheap request. */
const ANSWER_MS = 30_000;
const PULSE_MS = 5_000;

/** A short call to its answer. The client never tells of an answer that was cut off in the middle: only this limit does. */
export async function answered<T>(call: (signal: AbortSignal) => Promise<T>, limitMs = ANSWER_MS): Promise<T> {
  const late = new AbortController();
  const error = Object.assign(new Error(`no answer after ${limitMs / 1000} s`), { code: 'ETIMEDOUT' });
  const timer = setTimeout(() => late.abort(error), limitMs);
  try {
    return await Promise.race([call(late.signal), rejection(late.signal)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Work that the engine may take long for: however the work waits, it ends when the engine falls silent or `signal` aborts.
 * `work` gets a signal for both, that closes its connections. */
export async function watched<T>(
  engines: Engines,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const lost = new AbortController();
  const both = AbortSignal.any([signal, lost.signal]);
  void listen(engines, over.signal, (error) => lost.abort(error));
  try {
    both.throwIfAborted();
    return await Promise.race([work(both), rejection(both)]);
  } catch (error) {
    // Whatever failed first takes the other connections of this work with it.
    lost.abort(error);
    throw error;
  } finally {
    over.abort();
  }
}

/** Asks the engine for a sign of life from time to time. */
async function listen(engines: Engines, over: AbortSignal, onLost: (error: Error) => void): Promise<void> {
  const next = (): Promise<boolean> => pause(PULSE_MS, true, { signal: over }).catch(() => false);
  while (await next())
    await answered(() => engines().ping() as Promise<unknown>).catch(({ code = 'ECONNRESET', message }) =>
      onLost(Object.assign(new Error(message), { code })),
    );
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}
