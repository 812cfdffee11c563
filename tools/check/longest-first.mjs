import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';
import { needsOf, paceOf } from './needs.mjs';

/** Mean seconds of suites by what they need, on two cores. Other suites take two. */
const SECONDS = {
  services: 34,
  java: 41,
  temporal: 25,
  'tls-server': 20,
  registries: 17,
  s3: 13,
  tools: 11,
  docker: 8,
};

/** Least seconds of suites that say `@slow` or `@long`. */
const PACES = { slow: 5, long: 40 };

/** Starts failed suites first, then the longest, so that no core waits for one at the end. A fresh clone knows no times of an earlier
 * run: Jest would go by the size of files, and the longest suites are small files. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const seconds = new Map(super.sort(tests).map((test) => [test, secondsOf(test)]));
    const failed = (test) => Number(this.hasFailed(test));
    return [...seconds.keys()].sort((a, b) => failed(b) - failed(a) || seconds.get(b) - seconds.get(a));
  }
}

const secondsOf = ({ path, duration }) =>
  (duration ?? null) === null ? guessOf(readFileSync(path, 'utf8')) : duration / 1000;

/** Seconds that a suite takes, by the first comment of its text. */
export const guessOf = (text) =>
  Math.max(2, PACES[paceOf(text)] ?? 0, ...needsOf(text).map((need) => SECONDS[need] ?? 2));
