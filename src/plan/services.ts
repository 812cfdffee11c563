import { clusterService, DOCKER, STAGING, targetService, type Service } from '../model/outage.js';
import type { KindWith } from '../model/kinds.js';
import type { Step, StepOf } from '../model/plan.js';
import { answer, isAnswered, SERVICES } from '../model/schema/kind-answers.js';
import type { ClusterSpec } from '../model/tests/cluster.js';
import { reportName } from '../model/tests/reporter.js';

/** Services that a step needs, as far as its kind and parameters show. Every step needs the store, which is left out. */
export function servicesOf(step: Step): readonly Service[] {
  if (isAnswered(SERVICES, step)) return answer(SERVICES, step);
  switch (step.kind) {
    case 'makeBase':
    case 'buildImage':
      return [DOCKER, STAGING];
    case 'assembleIndex':
      return [STAGING];
    case 'promoteImage':
      return [STAGING, targetService(step.params.from.name)];
    case 'proveTarget':
    case 'publishArtifacts':
    case 'movePointer':
      return [targetService(step.params.target.name)];
    case 'verifyTarget':
      return [...(step.params.bases ? [DOCKER] : []), targetService(step.params.target.name)];
    case 'reportTests':
      return [targetService('target' in step.params ? step.params.target.name : reportName(step.id))];
    case 'runTest':
      return step.params.in === 'image' || step.params.where?.in === 'container' ? [DOCKER] : [];
    case 'runOnCluster':
      return ofCluster(step.params.cluster);
    default:
      return containerOf(step);
  }
}

const containerOf = ({ params }: StepOf<KindWith<'services', readonly never[]>>): readonly Service[] =>
  'where' in params && params.where.in === 'container' ? [DOCKER] : [];

const ofCluster = ({ name, manager }: ClusterSpec): readonly Service[] => {
  if (manager.by === 'docker') return [DOCKER];
  return manager.by === 'jobs' || manager.by === 'ssh' ? [clusterService(name)] : [];
};
