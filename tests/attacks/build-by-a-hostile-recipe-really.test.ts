/** @needs sandbox compiler spack @slow */
import { testHostileRecipe } from '../features/spack/hostile.js';
import { realSpack } from '../features/spack/planned.js';

describe('[C3] a recipe attacks the worker, by Spack', () => testHostileRecipe(realSpack()));
