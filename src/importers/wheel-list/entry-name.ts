const LONGEST_NAME = 80;

/** `lxml-5.3.0`, the name of a source and of its wheels. Names of entries have no `+` and `!`. */
export const entryName = ({ project, version }: { readonly project: string; readonly version: string }): string =>
  `${project}-${version.replace(/[^A-Za-z0-9._-]+/g, '_')}`.slice(0, LONGEST_NAME);

/** Id of the step that builds a version for a target: `wheels/lxml-5.3.0/cp311/debian-12`. */
export const stepOf = (
  wanting: Parameters<typeof entryName>[0] & {
    readonly target: { readonly platform: string; readonly python: string };
  },
): string => `wheels/${entryName(wanting)}/${wanting.target.python}/${wanting.target.platform}`;
