import { promiseHooks } from 'node:v8';

type Hook = (promise: Promise<unknown>, parent?: Promise<unknown>) => void;
interface Callbacks {
  init?: Hook;
  before?: Hook;
  after?: Hook;
  settled?: Hook;
}
interface Hooks {
  createHook: (callbacks: Callbacks) => unknown;
  left?: Callbacks[];
}

/** The module is of the process, which has many suites: what earlier ones left is found on it. */
const ofProcess = promiseHooks as Hooks;

/** Temporal's worker watches each promise of its process and never stops: in a process of Jest, later suites would pay for each
 * earlier one that had a worker, with two functions compiled for every promise. Such a hook is emptied when the next suite begins; to stop it
 * would abort Node, which asserts on it while callbacks are under way. Node's own hook, which has `before`, is left alone: it
 * carries AsyncLocalStorage, and with it the SDK's scopes. */
if (ofProcess.left === undefined) {
  const { createHook } = ofProcess;
  const left: Callbacks[] = (ofProcess.left = []);
  ofProcess.createHook = (callbacks) => {
    if (callbacks.before !== undefined) return createHook(callbacks);
    const own = { ...callbacks };
    left.push(own);
    return createHook({
      init: (promise, parent) => own.init?.(promise, parent),
      settled: (promise) => own.settled?.(promise),
    });
  };
}
for (const callbacks of ofProcess.left.splice(0)) {
  delete callbacks.init;
  delete callbacks.settled;
}
