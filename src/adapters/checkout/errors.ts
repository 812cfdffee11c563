import type { Problem } from '../../model/failure.js';

export const folderAbsent = (folder: string): Problem => ({
  code: 'INIT_FOLDER_ABSENT',
  class: 'config',
  message: `there is no folder ${JSON.stringify(folder)}`,
  next: 'Name the folder of a checkout: `slipway init path/to/checkout`.',
});

export const fileExists = (file: string): Problem => ({
  code: 'INIT_FILE_EXISTS',
  class: 'config',
  message: `${file} exists already, and init never replaces a file`,
  next: `Type \`slipway check ${file}\` to check that file; or \`slipway init --print\` to see what init would write.`,
});

export const notWritable = (file: string, why: string): Problem => ({
  code: 'INIT_NOT_WRITABLE',
  class: 'config',
  message: `${file} cannot be written: ${why}`,
  next: 'Make the folder writable, or type `slipway init --print` and save the text elsewhere.',
});
