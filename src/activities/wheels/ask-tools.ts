import { basename } from 'node:path';
import type { Finding } from '../../model/finding.js';
import type { Work } from '../work.js';

/** What twine and check-wheel-contents say of a wheel. */
export async function askTools(work: Work<'buildWheel'>, wheel: string): Promise<readonly Finding[]> {
  return [...(await askTwine(work, wheel)), ...(await askContents(work, wheel))];
}

/** An index refuses what twine calls an error; its warnings are about how the page will look. */
async function askTwine(work: Work<'buildWheel'>, wheel: string): Promise<readonly Finding[]> {
  const said = async (...flags: string[]): Promise<{ ok: boolean; lines: string }> => {
    const { code } = await work.exec(['twine', '--no-color', 'check', ...flags, wheel]);
    return {
      ok: code === 0,
      lines: work.log
        .tail(3)
        .map((line) => line.trim())
        .join(' '),
    };
  };
  const strict = await said('--strict');
  if (strict.ok) return [];
  const { ok } = await said();
  return [
    {
      level: ok ? 'warning' : 'error',
      code: ok ? 'TWINE_WARNS' : 'TWINE_REFUSES',
      subject: basename(wheel),
      why: `twine check says: ${strict.lines.replaceAll(wheel, basename(wheel))}`,
      next: 'Mend the long description or the metadata of the project.',
    },
  ];
}

/** `file.whl: W002: Wheel contains duplicate files: …`; advice, never an error. */
async function askContents(work: Work<'buildWheel'>, wheel: string): Promise<readonly Finding[]> {
  const output = await work.capture(
    'command -v check-wheel-contents >/dev/null || exit 0; check-wheel-contents --no-config "$WHEEL" || true',
    {
      env: work.env({ WHEEL: wheel }),
    },
  );
  return splitFindings(output).map(({ code, why }) => ({
    level: 'note',
    code,
    subject: basename(wheel),
    why,
    next: `The README of check-wheel-contents explains ${code}.`,
  }));
}

/** A finding may go on in lines of its own, which are indented. */
export function splitFindings(output: string): readonly { readonly code: string; readonly why: string }[] {
  return output.split(/\n(?=\S)/).flatMap((text) => {
    const [, code, why] = /: (W\d{3}): ([\s\S]*)$/.exec(text) ?? [];
    return code === undefined ? [] : [{ code, why: why!.trim().replace(/:?\s*\n\s+/g, '; ') }];
  });
}
