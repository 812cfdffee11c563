import { createCompileLock } from './node/compile-lock.js';
import type { FeatureNode } from '../../workers/feature.js';

export const locks = {
  bodies: (ports) => ({ compileLock: createCompileLock(ports) }),
} satisfies FeatureNode<'locks'>;
