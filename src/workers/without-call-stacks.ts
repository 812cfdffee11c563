import { promiseHooks } from 'node:v8';

/** Loaded by `node --require` in the process of workflows and in each of its threads. For every promise of workflow code, Temporal's
 * SDK keeps a call stack that only the query `__stack_trace` shows; that is two fifths of a replay's CPU. The SDK has no setting to
 * leave it out, so its hook is never called. Node's own hook has `before`: it carries AsyncLocalStorage, and stays. */
const { createHook } = promiseHooks;
promiseHooks.createHook = (hooks) => (hooks.before ? createHook(hooks) : () => undefined as never);
