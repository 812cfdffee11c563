import { fail, type Problem } from './failure.js';

const LONGEST_BYTES = 255;
/** Control characters, marks that reverse or hide text, and lone surrogates: the displayed name would be another one. */
// eslint-disable-next-line no-control-regex -- these are what is refused
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/u;
/** Device names of Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Whether a text has characters that a terminal interprets or hides. */
export const hidesText = (text: string): boolean => HIDDEN.test(text) || /\p{Surrogate}/u.test(text);

/** Returns why a text cannot name one file. Null if it can. */
export function nameFault(name: unknown): string | null {
  if (typeof name !== 'string' || name === '') return 'is empty or no text';
  if (/[/\\]/.test(name) || name === '.' || name === '..') return 'leads to another folder';
  if (hidesText(name)) return 'has characters that control or hide text';
  if (name.startsWith('-')) return 'begins like an option';
  if (/[. ]$/.test(name) || name.startsWith(' ')) return 'begins or ends with a blank, or ends with a dot';
  if (DEVICE.test(name)) return 'is the name of a device';
  return bytesOf(name) > LONGEST_BYTES ? `is longer than ${LONGEST_BYTES} bytes` : null;
}

/** Returns the name. Throws ARTIFACT_NAME_REFUSED if a path made of it could leave its folder. */
export function fileName(name: string): string {
  const fault = nameFault(name);
  if (fault !== null) throw fail(artifactNameRefused(name, fault));
  return name;
}

const artifactNameRefused = (name: string, fault: string): Problem => ({
  code: 'ARTIFACT_NAME_REFUSED',
  class: 'denied',
  message: `${JSON.stringify(name.slice(0, 100))} is no name of an artifact: it ${fault}`,
  next: 'Nothing was written. Rename the file in what builds it; if the project does not make such a name, `slipway workers` shows who else answers.',
});

/** Bytes in UTF-8. The pure rooms have no TextEncoder. */
const bytesOf = (text: string): number => encodeURIComponent(text).replace(/%../g, '_').length;
