import { fail } from '../../model/failure.js';
import type { Body } from '../work.js';
import { clusterRefused } from './errors.js';

/** A test on a cluster of its own. */
export const createRunOnCluster = (): Body<'runOnCluster'> =>
  async function runOnCluster({ step }) {
    const { name, manager } = step.params.cluster;
    throw fail(clusterRefused(name, `this version has no manager ${manager.by}`));
  };
