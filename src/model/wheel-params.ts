import type { Params } from './params.js';

/** Bytes of a wheel that this release does not build. */
export type WheelPlace = Params['takeWheel']['from'];

/** A wheel that an index lists. `build` is the build number of other bytes. */
export type ListedWheel = NonNullable<Params['buildWheel']['again']>;

/** How a wheel locks its own build requirements. */
export type OwnLock = NonNullable<Params['buildWheel']['lock']>;
