import { parseWheelName } from '../../model/python/file-name.js';
import { wheelFits } from '../../model/python/wheel-tags.js';
import type { Artifact } from '../../model/artifact.js';
import type { Params } from '../../model/params.js';
import type { Work } from '../work.js';

/** Returns the wheel of the variant that this one follows, if it fits here. Null if that has none, or another is needed. */
export function sameWheel({ step, inputs }: Pick<Work<'buildWheel'>, 'step' | 'inputs'>): Artifact | null {
  const { sameAs } = step.params;
  if (sameAs === undefined) return null;
  const theirs = inputs.find((result) => result.step === sameAs)?.artifacts.find(({ kind }) => kind === 'wheel');
  return theirs !== undefined && fitsHere(theirs.name, step.params) ? theirs : null;
}

/** A `linux_…` tag promises no C library, so such a wheel fits its own platform alone. */
function fitsHere(file: string, { python, for: { arch, libc } }: Params['buildWheel']): boolean {
  const name = parseWheelName(file);
  if (name === null || python === null) return false;
  const isPure = name.platforms.every((tag) => tag === 'any');
  const isRepaired = libc?.name === 'glibc' && !name.platforms.some((tag) => tag.startsWith('linux_'));
  return (isPure || isRepaired) && wheelFits(name, { python, arch, glibc: libc?.floor ?? '0' });
}
