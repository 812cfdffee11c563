import { basename, dirname } from 'node:path';
import type { Finding } from '../../model/finding.js';
import type { Work } from '../work.js';

export async function askTools(work: Work<'buildWheel'>, wheel: string): Promise<readonly Finding[]> {
  return (await Promise.all([askTwine(work, wheel), askContents(work, wheel)])).flat();
}

/** An index refuses twine's errors; its warnings concern only how the project page renders. */
async function askTwine(work: Work<'buildWheel'>, wheel: string): Promise<readonly Finding[]> {
  const strict = await ask(work, wheel, `twine --no-color check --strict "$WHEEL" && echo ${PASSED}`);
  if (strict.includes(PASSED)) return [];
  const ok = (await ask(work, wheel, `twine --no-color check "$WHEEL" && echo ${PASSED}`)).includes(PASSED);
  return [
    {
      level: ok ? 'warning' : 'error',
      code: ok ? 'TWINE_WARNS' : 'TWINE_REFUSES',
      subject: basename(wheel),
      why: `twine check says: ${afterLine(strict, 'FAILED').trim().replace(/\s+/g, ' ')}`,
      next: 'Correct the long description or the metadata of the project.',
    },
  ];
}

function afterLine(text: string, word: string): string {
  const at = text.lastIndexOf(word, text.lastIndexOf('\n'));
  return at < 0 ? text : text.slice(text.indexOf('\n', at) + 1);
}

const PASSED = 'slipway:passed';

/** Runs in the wheel's folder, so that output names no path of this machine. COLUMNS keeps twine from wrapping. */
function ask(work: Work<'buildWheel'>, wheel: string, line: string): Promise<string> {
  const env = work.env({ WHEEL: basename(wheel), COLUMNS: '1000' });
  return work.capture(['sh', '-c', 'sh -eu -c "$1" 2>&1 || true', 'sh', line], { cwd: dirname(wheel), env });
}

/** Parses `file.whl: W002: Wheel contains duplicate files: …`. These findings are advice, never errors. */
async function askContents(work: Work<'buildWheel'>, wheel: string): Promise<readonly Finding[]> {
  const output = await ask(work, wheel, 'check-wheel-contents --no-config "$WHEEL"');
  return splitFindings(output).map(({ code, why }) => ({
    level: 'note',
    code,
    subject: basename(wheel),
    why,
    next: `The README of check-wheel-contents explains ${code}.`,
  }));
}

/** Splits output into findings; a finding may continue on indented lines. */
export function splitFindings(output: string): readonly { readonly code: string; readonly why: string }[] {
  return output.split(/\n(?=\S)/).flatMap((text) => {
    const [, code, why] = /: (W\d{3}): ([\s\S]*)$/.exec(text) ?? [];
    return code === undefined ? [] : [{ code, why: onOneLine(why!) }];
  });
}

function onOneLine(text: string): string {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  return lines.map((line, at) => (at < lines.length - 1 ? line.replace(/:$/, '') : line)).join('; ');
}
