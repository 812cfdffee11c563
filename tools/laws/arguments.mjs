import { Problem } from '../start/problem.mjs';

const MOST_MINUTES = 24 * 60;
const USAGE = 'Type `npm run laws -- --minutes 10`: any number above 0 and up to 1440.';

/** `--minutes N`, and nothing else. Throws LAWS_ARGUMENT with each argument that is wrong. */
export function minutesOf(args) {
  if (args.length === 0) throw wrong('--minutes is missing');
  const [key, value, ...rest] = args[0].startsWith('--minutes=')
    ? args[0].split(/=(.*)/s, 2).concat(args.slice(1))
    : args;
  const unknown = key === '--minutes' ? rest : args;
  if (unknown.length > 0) throw wrong(`${unknown.map((one) => `\`${one}\``).join(', ')}: not known here`);
  const minutes = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value ?? '') || minutes <= 0 || minutes > MOST_MINUTES)
    throw wrong(
      value === undefined ? '--minutes has no number' : `--minutes \`${value}\` is out of range or no number`,
    );
  return minutes;
}

const wrong = (message) => new Problem('LAWS_ARGUMENT', message, USAGE, { exit: 2 });
