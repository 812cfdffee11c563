/** Something inside a cluster went wrong; its caller knows which cluster, and makes a coded failure of it. */
export class ClusterFault extends Error {
  override readonly name: string = 'ClusterFault';
}

/** The machine of a cluster, or its agent, has ended. */
export class AgentGone extends ClusterFault {
  override readonly name = 'AgentGone';
  constructor() {
    super('the machine of the cluster does not answer any more');
  }
}
