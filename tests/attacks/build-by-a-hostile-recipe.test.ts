/** @needs sandbox compiler @slow */
import { testHostileRecipe } from '../features/spack/hostile.js';
import { DOUBLE } from '../features/spack/planned.js';

describe('[C3] a recipe attacks the worker, by the double', () => testHostileRecipe(DOUBLE));
