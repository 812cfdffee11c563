import type { Forecast } from '../engine/forecast/forecast.js';
import type { RunStatus } from '../model/messages.js';
import type { Io } from './command.js';
import { changes, longWaits, type Change } from './render/changes.js';
import { liveLines } from './render/live.js';
import { colours } from './render/paint.js';
import { plainLine } from './render/plain-line.js';
import { createScreen } from './render/screen.js';

/** Display of an open run: `tree` redraws itself, `lines` and `json` append. */
export type View = 'tree' | 'lines' | 'json';

/** Time between two drawings of the tree, in milliseconds. Running times change without a new status. */
const REDRAW_MS = 250;
/** Least time between two drawings, in milliseconds. */
const LEAST_MS = 100;

/** Time between two looks for waits that have become long, in milliseconds. */
const LONG_WAITS_MS = 1000;

/** Shown until a worker answers with a status. */
const WAITING = 'waiting for the run to answer …';

export interface Around {
  /** Forecasts the rest of a run. Null if there is no forecast. */
  readonly ahead?: (status: RunStatus, nowMs: number) => Forecast | null;
  /** Returns the lines about a run that waits for an action. Null for any other run, and where none are wanted. */
  readonly halted?: (status: RunStatus) => Promise<readonly string[] | null>;
}

type LookAhead = NonNullable<Around['ahead']>;

interface Shown {
  /** @param halt text about a run that waits for an action */
  tell(status: RunStatus, halt: string | null): void;
  close(): void;
}

/** Shows statuses until they end; answers the last one, or null when there was none. */
export async function follow(
  statuses: AsyncIterable<RunStatus>,
  view: View,
  io: Io,
  { ahead = () => null, halted = async () => null }: Around = {},
): Promise<RunStatus | null> {
  const shown = view === 'tree' ? tree(io, ahead) : lines(io, view, ahead);
  let last: RunStatus | null = null;
  try {
    for await (const status of statuses) {
      last = status;
      shown.tell(status, (await halted(status))?.join('\n') ?? null);
    }
    return last;
  } finally {
    shown.close();
  }
}

function lines(io: Io, view: 'lines' | 'json', ahead: LookAhead): Shown {
  let before: RunStatus | null = null;
  let printed: string | null = null;
  let lookedMs = Date.now();
  const print = (told: readonly Change[]): void => {
    for (const change of told) io.out(view === 'json' ? JSON.stringify(change) : plainLine(change));
  };
  const timer = setInterval(() => {
    const [fromMs, now] = [lookedMs, (lookedMs = Date.now())];
    if (before !== null) print(longWaits(before, fromMs, now));
  }, LONG_WAITS_MS);
  return {
    tell(status, halt) {
      const now = Date.now();
      // A forecast of thousands of steps is slow. Only the first status and steps that back off show one.
      const wanted =
        before === null || before.plan === null || status.steps.some(({ state }) => state === 'backing off');
      print(changes(before, status, now, wanted ? ahead(status, now) : null));
      before = status;
      if (halt !== null && halt !== printed) io.out(halt);
      printed = halt;
    },
    close: () => clearInterval(timer),
  };
}

/** The tree redraws itself until the run waits for an action. It then gives way to whole lines, which nothing draws over. */
function tree(io: Io, ahead: LookAhead): Shown {
  const screen = createScreen((text) => io.write(text));
  let status: RunStatus | null = null;
  let printed: string | null = null;
  let drawnAt = 0;
  const draw = (): void => {
    drawnAt = Date.now();
    const { columns, rows, colour } = io.terminal; // read anew: windows change
    if (!status) return screen.draw([WAITING]);
    const forecast = ahead(status, drawnAt);
    screen.draw(liveLines(status, { now: drawnAt, columns, rows, paint: colours(colour), forecast }));
  };
  const timer = setInterval(() => void (printed === null && draw()), REDRAW_MS);
  return {
    tell(next, halt) {
      status = next;
      if (halt !== null && halt === printed) return;
      if (halt !== null || Date.now() - drawnAt >= LEAST_MS) draw();
      if (halt !== null) {
        screen.close();
        io.out(halt);
      }
      printed = halt;
    },
    close() {
      clearInterval(timer);
      if (status && printed === null) draw();
      screen.close(status ? undefined : []);
    },
  };
}
