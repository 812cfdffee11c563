import type { Letter, Webhook } from '../../activities/notify/ports.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { judgedFetch } from '../http/judged-fetch.js';
import { reasonOf } from '../http/request.js';
import { startPatience } from '../http/patience.js';
import { webhookUnreachable } from './errors.js';

const PATIENCE_MS = 20_000;
const MOST_SAID = 300;

export const createWebhook = (patienceMs = PATIENCE_MS): Webhook => ({
  post: (letter) => post(letter, patienceMs),
});

async function post({ to, url, headers, body, signal }: Letter, patienceMs: number): ReturnType<Webhook['post']> {
  const patience = startPatience(signal, patienceMs);
  try {
    const response = await judgedFetch(url, { method: 'POST', headers, body, signal: patience.signal });
    return { status: response.status, said: await beginningOf(response) };
  } catch (error) {
    if (signal.aborted || error instanceof SlipwayFailure) throw error;
    throw fail(webhookUnreachable(to, reasonOf(error)), error);
  }
}

/** Returns the start of the answer. Stops reading an endless one. */
async function beginningOf(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece as Uint8Array, { stream: true });
      if (text.length >= MOST_SAID) break;
    }
  } catch {
    // The status has arrived, which is enough.
  }
  return text.slice(0, MOST_SAID).trim();
}
