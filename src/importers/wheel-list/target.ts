import type { TagTarget } from '../../model/python/wheel-tags.js';
import { parseVersion, type Version } from '../../model/python/version.js';
import type { MarkerEnvironment } from './marker.js';

/** A platform and a Python that wheels are for. */
export interface Target {
  readonly platform: string;
  /** `cp311` */
  readonly python: string;
  readonly tags: TagTarget;
  /** Version of Python that Requires-Python is compared with. */
  readonly version: Version;
  readonly environment: MarkerEnvironment;
  /** Last day of the platform. Null: none. */
  readonly until: string | null;
}

export interface PlatformTags {
  readonly arch: string;
  readonly glibc: string;
  readonly until: string | null;
}

/** @param whole version of the Python of the platform's base. Without it a tag means its first release, as for pip and uv */
export function targetOf(
  platform: string,
  python: string,
  { arch, glibc, until }: PlatformTags,
  whole?: string,
): Target {
  const short = `3.${/^cp3(\d+)/.exec(python)?.[1] ?? '0'}`;
  const full = whole ?? `${short}.0`;
  return {
    platform,
    python,
    tags: { python, arch, glibc },
    version: parseVersion(full)!,
    environment: {
      ...{ python_version: short, python_full_version: full, implementation_version: full, platform_machine: arch },
      ...{ implementation_name: 'cpython', platform_python_implementation: 'CPython', extra: '' },
      ...{
        os_name: 'posix',
        sys_platform: 'linux',
        platform_system: 'Linux',
        platform_release: '',
        platform_version: '',
      },
    },
    until,
  };
}
