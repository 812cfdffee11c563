/** Exports of `slipway` and `slipway/client` to programs that install the package. */
export { connect } from './connect.js';
export type { ConnectOptions, ReleaseClient, Recent, Started } from './index.js';
export { SlipwayFailure, type FailureClass, type Problem } from '../model/failure.js';
export type { Action, ActionAnswer } from '../model/actions.js';
export type { RunState, RunStatus, StepStatus, Verdict } from '../model/messages.js';
