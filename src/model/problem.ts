import { FAILURE_CLASSES, type FailureClass, type Problem } from './failure.js';

/** Code, message and next step of a problem or a finding. */
export type Row = readonly [code: string, message: string, next: string];

const makerOf =
  (failureClass: FailureClass) =>
  <About extends readonly unknown[]>(row: (...about: About) => readonly [...Row, more?: Partial<Problem>]) =>
  (...about: About): Problem => {
    const [code, message, next, more] = row(...about);
    return { code, class: failureClass, message, next, ...more };
  };

/** Turns a row into a function that makes a problem of a class: `export const servicesDown = problem.infra(() => […])`. A row may
 * end with further fields. */
export const problem = Object.fromEntries(
  Object.keys(FAILURE_CLASSES).map((one) => [one, makerOf(one as FailureClass)]),
) as Readonly<Record<FailureClass, ReturnType<typeof makerOf>>>;
