import type { Problem } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';

export const nameTwice = (name: string, steps: readonly StepId[]): Problem => ({
  code: 'NAME_TWICE',
  class: 'config',
  message: `${name} was made ${steps.length} times with different bytes, by ${steps.join(', ')}; an index holds one`,
  next: 'Nothing was uploaded. A wheel that fits all Pythons is built once: `python: none` under the wheel, or `pythons: [ONE]` for an abi3 wheel.',
});
