import type { WantedWheel } from '../../../model/python/fitting-wheel.js';

/** Why a wheel is not there: the end of a sentence that starts with the address. */
export interface Absent {
  readonly absent: string;
  /** The server gave no answer at all. */
  readonly silent?: true;
}

/** A wheel on a server. */
export interface Located {
  readonly url: string;
  /** File name. */
  readonly name: string;
}

export interface Downloaded {
  readonly path: string;
  /** The server's name for these bytes. Null if it gives none. */
  readonly etag: string | null;
}

export interface Download {
  /** The folder for the file. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** The bytes with this name are known, and are not sent again. */
  readonly etag: string | null;
}

/** Web servers that hold wheels. */
export interface WheelServer {
  /** Looks for a wheel at an address: its own, or a folder's, which ends in `/`. Throws WHEEL_AMBIGUOUS. */
  find(address: string, wanted: WantedWheel, signal: AbortSignal): Promise<Located | Absent>;
  /** Returns null if the known bytes are still there. Throws WHEEL_REDIRECTS, WHEEL_NOT_A_WHEEL or WHEEL_TOO_LARGE. */
  download(wheel: Located, how: Download): Promise<Downloaded | Absent | null>;
}
