import type { Finding } from '../../model/finding.js';
import { error } from './finding.js';
import type { WheelName } from '../../model/python/file-name.js';

interface Wanted {
  readonly python: string | null;
  readonly everywhere: boolean;
}

/** Judges whether a wheel supports the Pythons and platforms of its entry: no fewer, and hardly more. */
export function judgeReach(file: string, wanted: Wanted, name: WheelName): readonly Finding[] {
  const plain = name.pythons.includes('py3') && name.abis.includes('none');
  const found: Finding[] = [];
  if (wanted.everywhere && !name.platforms.includes('any'))
    found.push(
      error(
        'WHEEL_FOR_ONE_PLATFORM',
        file,
        `is for ${name.platforms.join('.')}, its entry says platform: none`,
        'Take `platform: none` away, or keep compiled code out of it: it is then tagged any.',
      ),
    );
  if (wanted.python === null && !plain && !name.abis.includes('abi3'))
    found.push(
      error(
        'WHEEL_FOR_ONE_PYTHON',
        file,
        `is for ${name.pythons.join('.')}, its entry says python: none`,
        'Take `python: none` away, or let it be tagged py3-none or abi3 (setuptools: `py_limited_api`).',
      ),
    );
  if (wanted.python !== null && (plain || name.abis.includes('abi3')))
    found.push({
      level: 'warning',
      code: 'WHEEL_FOR_ALL_PYTHONS',
      subject: file,
      why: `fits ${plain ? 'every Python' : `every Python from ${name.pythons.join('.')} on`}, and is built for ${wanted.python} alone; other Pythons make a file of the same name`,
      next: 'Write `python: none` under the wheel: it is then built once.',
    });
  return found;
}
