import { middle } from '../measure.mjs';
import { notTaken, ratioAtMost, row } from '../rows.mjs';
import queues from './queues.cjs';

const named = (count) => `real work, ${count} steps`;
export const title = (count) => `${named(count)} on ${queues.SLOTS} slots, against`;

/** @param rounds of each: what every contestant took, null where it could not */
export function rowsOf(count, rounds) {
  const of = (who, take) => middle(rounds.map((round) => take(round[who])));
  const seconds = (who) => of(who, (taken) => taken.seconds);
  const bound = (who) => of(who, (taken) => taken.bound);
  const ours = (name, reference, most) =>
    row(`${title(count)} ${name}`, seconds('ours'), 's', { reference, goal: most && ratioAtMost(most) });
  const against = ({ who, name, called, most, without }) =>
    rounds.every((round) => round[who] !== null)
      ? [
          ours(name, seconds(who), most),
          row(`${named(count)} by ${called ?? name}, against its bound`, seconds(who), 's', { reference: bound(who) }),
        ]
      : [notTaken(`${title(count)} ${name}`, 's', without, most && ratioAtMost(most))];
  return [
    ours('the bound', bound('ours'), 1.05),
    ...OTHERS.flatMap(against),
    ...ends(count, of),
    ...costs(count, rounds, 'ours', '', of),
    ...(rounds.every(({ hand }) => hand !== null) ? costs(count, rounds, 'hand', ', hand-written program', of) : []),
  ];
}

const byOther = (who) => {
  const name = `${who} -j${queues.SLOTS}`;
  return { who, name, most: 1.1, without: `no ${who} on this machine` };
};

const OTHERS = [
  byOther('make'),
  byOther('ninja'),
  {
    ...{ who: 'hand', name: 'a hand-written Temporal program', called: 'the hand-written program' },
    without: 'one workflow does not hold so many steps',
  },
];

const ends = (count, of) => [
  row(
    `${named(count)}: from the command to its first step`,
    of('ours', (taken) => taken.before),
    's',
  ),
  row(
    `${named(count)}: from its last step to the end of the command`,
    of('ours', (taken) => taken.after),
    's',
  ),
];

const costs = (count, rounds, who, whose, of) =>
  Object.keys(rounds[0][who].costs).map((part) => {
    const ms = of(who, (taken) => taken.costs[part]);
    return row(`${named(count)}: CPU a step of ${part}${whose}`, ms, 'ms');
  });
