import type { Forecast } from '../engine/forecast/forecast.js';
import type { RunStatus } from '../model/messages.js';
import type { Io } from './command.js';
import { changes } from './render/changes.js';
import { liveLines } from './render/live.js';
import { colours } from './render/paint.js';
import { plainLine } from './render/plain-line.js';
import { createScreen } from './render/screen.js';

/** How a run is shown while it goes on: `tree` draws over itself, `lines` and `json` only ever add. */
export type View = 'tree' | 'lines' | 'json';

/** Between two drawings of the tree, in milliseconds: running times go on although nothing else changed. */
const REDRAW_MS = 250;
/** At most ten drawings a second, however fast statuses arrive. */
const LEAST_MS = 100;

/** Stands there while no worker has told a status yet. */
const WAITING = 'waiting for the run to answer …';

/** Looks ahead from a status; null where nothing is known. */
type LookAhead = (status: RunStatus, nowMs: number) => Forecast | null;

interface Shown {
  tell(status: RunStatus): void;
  close(): void;
}

/** Shows statuses until they end; answers the last one, or null when there was none. */
export async function follow(
  statuses: AsyncIterable<RunStatus>,
  view: View,
  io: Io,
  ahead: LookAhead = () => null,
): Promise<RunStatus | null> {
  const shown = view === 'tree' ? tree(io, ahead) : lines(io, view, ahead);
  let last: RunStatus | null = null;
  try {
    for await (const status of statuses) {
      last = status;
      shown.tell(status);
    }
    return last;
  } finally {
    shown.close();
  }
}

function lines(io: Io, view: 'lines' | 'json', ahead: LookAhead): Shown {
  let before: RunStatus | null = null;
  return {
    tell(status) {
      const now = Date.now();
      // To look ahead in a run of thousands costs more than all else here; what it needs is read from the first plan on.
      const wanted =
        before === null || before.plan === null || status.steps.some(({ state }) => state === 'backing off');
      for (const change of changes(before, status, now, wanted ? ahead(status, now) : null))
        io.out(view === 'json' ? JSON.stringify(change) : plainLine(change));
      before = status;
    },
    close: () => undefined,
  };
}

function tree(io: Io, ahead: LookAhead): Shown {
  const screen = createScreen((text) => io.write(text));
  let status: RunStatus | null = null;
  let drawnAt = 0;
  const draw = (): void => {
    drawnAt = Date.now();
    const { columns, rows, colour } = io.terminal; // read anew: windows change
    if (!status) return screen.draw([WAITING]);
    const forecast = ahead(status, drawnAt);
    screen.draw(liveLines(status, { now: drawnAt, columns, rows, paint: colours(colour), forecast }));
  };
  const timer = setInterval(draw, REDRAW_MS);
  return {
    tell(next) {
      status = next;
      if (Date.now() - drawnAt >= LEAST_MS) draw();
    },
    close() {
      clearInterval(timer);
      if (status) draw();
      screen.close(status ? undefined : []);
    },
  };
}
