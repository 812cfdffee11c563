const LONGEST_NAME = 80;
const LONGEST_VERSION = 40;

/** `lxml-5.3.0`, the name of a source and of its wheels. Names of entries have no `+` and `!`. A name that is too long
 * loses the end of its project: versions of one project stay apart. */
export function entryName({ project, version }: { readonly project: string; readonly version: string }): string {
  const end = `-${version.replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, LONGEST_VERSION)}`;
  return `${project.slice(0, LONGEST_NAME - end.length)}${end}`;
}

/** Id of the step that builds a version for a target: `wheels/lxml-5.3.0/cp311/debian-12`. */
export const stepOf = (
  wanting: Parameters<typeof entryName>[0] & {
    readonly target: { readonly platform: string; readonly python: string };
  },
): string => `wheels/${entryName(wanting)}/${wanting.target.python}/${wanting.target.platform}`;
