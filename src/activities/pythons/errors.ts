import { problem } from '../../model/problem.js';

export const pythonAbsent = problem.config((tag: string, here: readonly string[]) => [
  'PYTHON_ABSENT',
  `no Python for ${tag} on this worker; it has ${here.join(', ') || 'none'}`,
  `Install one (\`pyenv install ${versionOf(tag)}\`) or leave ${tag} out of \`pythons\`; then \`slipway doctor\`.`,
  { path: 'pythons' },
]);

const versionOf = (tag: string): string => tag.replace(/^[a-z]+(\d)(\d+t?)$/, '$1.$2');
