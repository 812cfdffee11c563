import type { Io } from './command.js';

/** `slipway status`, at the start of a line or in code marks. */
const TO_TYPE = /(?:^ *|`)slipway [a-z]/m;

/** Notes whether anything that a command told says to type `slipway …`; data for programs is not looked at. `down`
 * never counts: the commands that it names are for another day. */
export function hintingIo(io: Io, command: string): { readonly io: Io; readonly hinted: () => boolean } {
  let hinted = false;
  const look = (text: string): string => {
    hinted ||= command !== 'down' && !text.startsWith('{') && TO_TYPE.test(text);
    return text;
  };
  return {
    io: { ...io, out: (text) => io.out(look(text)), err: (text) => io.err(look(text)) },
    hinted: () => hinted,
  };
}
