import type Docker from 'dockerode';

export interface Gently {
  /** Aborts when there is no more patience: at once where nobody can be asked, else after the grace time. */
  readonly force: AbortSignal;
  /** From now on the wish is told this way first. */
  ask(how: () => Promise<unknown>): void;
  /** Ends the escalation: the container has stopped, or nobody wants it stopped any more. */
  over(): void;
}

/** A wish to stop becomes force after `graceMs`, so that what runs may put its things in order. */
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

/** TERM to all processes of a container. The engine's own signal reaches only the first, which the kernel spares where it has
 * no handler: a shell's children would never hear of it. They are told first, since they end with the first. */
export async function terminate(container: Docker.Container): Promise<void> {
  await tellAll(container).catch(() => undefined); // an image without a shell
  await container.kill({ signal: 'SIGTERM' });
}

async function tellAll(container: Docker.Container): Promise<void> {
  const told = await container.exec({ Cmd: ['sh', '-c', 'kill -s TERM -- -1'] });
  const answer = await told.start({ Detach: true });
  answer.resume(); // else its connection stays open
}
