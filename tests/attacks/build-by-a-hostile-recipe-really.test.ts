/** @needs sandbox compiler spack @slow */
import { testHostileRecipe } from '../features/spack/hostile.js';
import { realSpack } from '../features/spack/planned.js';

/** Two builds of the same recipe by Spack differ in the digest of the archive. */
const withoutDigest = (path: string): string => path.replace(/[0-9a-f]{2}\/[0-9a-f]{64}$/, 'DIGEST');

describe('[C3] a recipe attacks the worker, by Spack', () => testHostileRecipe(realSpack(), withoutDigest));
