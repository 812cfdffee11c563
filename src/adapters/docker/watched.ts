import { setTimeout as pause } from 'node:timers/promises';
import { aborted } from '../aborted.js';
import type { Engines } from './connection.js';

/** Longest answer time of a living engine for a cheap request. */
const ANSWER_MS = 30_000;
const PULSE_MS = 5_000;

/** Runs a short call with a limit: dockerode never reports an answer that was cut off. */
export async function answered<T>(call: (signal: AbortSignal) => Promise<T>, limitMs = ANSWER_MS): Promise<T> {
  const late = new AbortController();
  const error = Object.assign(new Error(`no answer after ${limitMs / 1000} s`), { code: 'ETIMEDOUT' });
  const timer = setTimeout(() => late.abort(error), limitMs);
  try {
    return await Promise.race([call(late.signal), aborted(late.signal)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs long work of the engine. Rejects if the engine stops answering pings or `signal` aborts.
 * @param work gets a signal for both, which closes its connections */
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
    return await Promise.race([work(both), aborted(both)]);
  } catch (error) {
    // The first failure also closes the other connections of this work.
    lost.abort(error);
    throw error;
  } finally {
    over.abort();
  }
}

async function listen(engines: Engines, over: AbortSignal, onLost: (error: Error) => void): Promise<void> {
  const next = (): Promise<boolean> => pause(PULSE_MS, true, { signal: over }).catch(() => false);
  while (await next())
    await answered(() => engines().ping() as Promise<unknown>).catch(({ code = 'ECONNRESET', message }) =>
      onLost(Object.assign(new Error(message), { code })),
    );
}
