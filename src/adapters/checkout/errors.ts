import { problem } from '../../model/problem.js';

export const folderAbsent = problem.config((folder: string) => [
  'INIT_FOLDER_ABSENT',
  `there is no folder ${JSON.stringify(folder)}`,
  'Name the folder of a checkout: `slipway init path/to/checkout`.',
]);
export const fileExists = problem.config((file: string) => [
  'INIT_FILE_EXISTS',
  `${file} exists already, and init never replaces a file`,
  `Type \`slipway check ${file}\` to check that file; or \`slipway init --print\` to see what init would write.`,
]);
export const notWritable = problem.config((file: string, why: string) => [
  'INIT_NOT_WRITABLE',
  `${file} cannot be written: ${why}`,
  'Make the folder writable, or type `slipway init --print` and save the text elsewhere.',
]);
