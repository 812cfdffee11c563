import { spanOf } from '../../engine/standings/consequences.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import type { Standings } from '../../model/tests/standing.js';
import type { Input } from '../command.js';
import type { Ports } from '../ports.js';
import { manyTests } from '../tests/errors.js';
import { testsCalled } from '../tests/find-test.js';
import { noEnds } from './errors.js';

interface Meant {
  /** Name in records if the standings know the test as one variant, else the name that was typed. */
  readonly test: string;
  readonly ends: { readonly good: string; readonly bad: string };
}

/** Returns the test that a person means, with the ends that the command names, else those of the test's standing. Throws
 * BISECT_NO_ENDS, and MANY_TESTS if several variants have a standing and an end is missing. */
export async function meantTest(
  asked: string,
  { file, profile }: { readonly file: string; readonly profile: string },
  { good, bad }: Input['options'],
  ports: Ports,
): Promise<Meant> {
  const standings = await standingsOf(file, profile, ports);
  const called = standings === null ? [] : testsCalled(standings, asked);
  const test = called.length === 1 ? called[0]! : asked;
  if (typeof good === 'string' && typeof bad === 'string') return { test, ends: { good, bad } };
  if (called.length > 1) throw fail(manyTests(asked, called));
  const known = called.length === 1 ? spanOf(standings!.tests[test]!.letters, standings!.nights) : null;
  const ends = { good: good ?? known?.good, bad: bad ?? known?.bad };
  const missing = (['good', 'bad'] as const).filter((end) => typeof ends[end] !== 'string');
  if (missing.length > 0) throw fail(noEnds(test, missing));
  return { test, ends: { good: String(ends.good), bad: String(ends.bad) } };
}

/** Returns null for a file without standings and before its first night. */
async function standingsOf(file: string, profile: string, ports: Ports): Promise<Standings | null> {
  const port = await ports.tests(file, profile).catch((error: unknown) => {
    if (error instanceof SlipwayFailure && error.first.code === 'NO_STANDINGS') return null;
    throw error;
  });
  return (await port?.read()) ?? null;
}
