import type Docker from 'dockerode';

export interface Gently {
  /** Aborts after the grace time. Aborts at once if `ask` was not called or fails. */
  readonly force: AbortSignal;
  /** Sets the polite request that comes first. */
  ask(how: () => Promise<unknown>): void;
  /** Cancels the escalation, because the container has stopped. */
  over(): void;
}

/** Turns a wish to stop into force after `graceMs`, so that the container can clean up. */
export function gently(wish: AbortSignal, graceMs: number): Gently {
  const force = new AbortController();
  let ask: (() => Promise<unknown>) | null = null;
  let patience: NodeJS.Timeout | undefined;
  const end = (): void => force.abort(wish.reason);
  const wished = (): void => {
    if (ask === null) return end();
    patience = setTimeout(end, graceMs);
    void ask().catch(end);
  };
  if (wish.aborted) wished();
  else wish.addEventListener('abort', wished, { once: true });
  return {
    force: force.signal,
    ask: (how) => void (ask = how),
    over: () => {
      clearTimeout(patience);
      wish.removeEventListener('abort', wished);
    },
  };
}

/** Sends SIGTERM to all processes of a container. The engine signals only PID 1, which the kernel spares if it has
 * no handler. The children come first, because they end with PID 1. */
export async function terminate(container: Docker.Container): Promise<void> {
  await tellAll(container).catch(() => undefined); // an image without a shell
  await container.kill({ signal: 'SIGTERM' });
}

async function tellAll(container: Docker.Container): Promise<void> {
  const told = await container.exec({ Cmd: ['sh', '-c', 'kill -s TERM -- -1'] });
  const answer = await told.start({ Detach: true });
  answer.resume(); // else its connection stays open
}
