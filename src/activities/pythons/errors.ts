import type { Problem } from '../../model/failure.js';

export const pythonAbsent = (tag: string, here: readonly string[]): Problem => ({
  code: 'PYTHON_ABSENT',
  class: 'config',
  message: `no Python for ${tag} on this worker; it has ${here.join(', ') || 'none'}`,
  next: `Install one (\`pyenv install ${versionOf(tag)}\`) or leave ${tag} out of \`pythons\`; then \`slipway doctor\`.`,
  path: 'pythons',
});

const versionOf = (tag: string): string => tag.replace(/^[a-z]+(\d)(\d+t?)$/, '$1.$2');
