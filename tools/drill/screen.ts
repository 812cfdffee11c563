import { PHASES, type Phase } from '#slipway/model/drill.js';
import type { Drilled } from './drill.js';
import { PHASE_NAMES } from './phase-names.js';

/** One table of kills by victim and moment, and what came of all of them. */
export function drillLines(drilled: Drilled): readonly string[] {
  const { release, seed, asked, points, rehearsals, lost, twice, orphans, unfinished, ms, kept } = drilled;
  const wanted = rehearsals.reduce((sum, one) => sum + one.wanted, 0);
  return [
    `drilled  ${release.name} ${release.version}  ${points} points in ${rehearsals.length} ${rehearsals.length === 1 ? 'rehearsal' : 'rehearsals'}, ${(ms / 60_000).toFixed(1)} min, seed ${seed}`,
    '',
    ...table(drilled),
    ...(points < asked ? [`${asked - points} points were met by no step in ${rehearsals.length} rehearsals`] : []),
    '',
    `${wanted} files wanted   ${lost} lost   ${twice} twice   ${orphans} orphans   ${unfinished} unfinished`,
    ...rehearsals.flatMap((one, at) => wrongs(one).map((line) => `  rehearsal ${at + 1}: ${line}`)),
    ...(kept === null ? [] : [`Everything is kept in ${kept} until the next drill.`]),
  ];
}

const wrongs = ({ lost, twice, orphans, unfinished }: Drilled['rehearsals'][number]): readonly string[] => [
  ...lost.map((what) => `lost ${what}`),
  ...twice.map((what) => `twice ${what}`),
  ...orphans.map((what) => `orphan ${what}`),
  ...unfinished.map((what) => `unfinished: ${what}`),
];

function table({ rehearsals }: Drilled): readonly string[] {
  const killed = rehearsals.flatMap((one) => one.killed);
  const victims = [...new Set(killed.map(({ victim }) => victim))].sort();
  const row = (name: string, cells: readonly (string | number)[]): string =>
    [name.padEnd(12), ...cells.map((cell, at) => String(cell).padStart(PHASE_NAMES[PHASES[at]!]?.length ?? 6))]
      .join('  ')
      .trimEnd();
  const count = (victim: string | null, phase: Phase): number =>
    killed.filter((one) => (victim === null || one.victim === victim) && one.phase === phase).length;
  const cells = (victim: string | null): readonly number[] => PHASES.map((phase) => count(victim, phase));
  return [
    row(
      'KILL',
      PHASES.map((phase) => PHASE_NAMES[phase]),
    ),
    ...victims.map((victim) => row(victim, cells(victim))),
    row('all', cells(null)),
  ];
}
