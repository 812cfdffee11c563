import type { Context } from '../context.js';
import { draft } from '../draft.js';
import { BARE, type Item } from '../item.js';
import type { Path } from '../errors.js';
import type { Params } from '../../model/params.js';
import { ownBase, UNDER_EVERY_BUILD } from '../where.js';

/** Debian release of the containers that `packages:` asks for: the one whose libraries fit the usual workers. */
const USUAL_DEBIAN = 'bookworm';

type From = Params['makeBase']['from'];

/** Base images of `bases:`, and one for each entry with Debian packages. */
export function baseItems(context: Context): readonly Item[] {
  const written = Object.entries(context.release.bases).map(([name, from]) =>
    base(`bases/${name}`, from, ['bases', name], context),
  );
  const sections = ['sdists', 'wheels', 'jars', 'tests', 'steps'] as const;
  const asked = sections.flatMap((section) =>
    Object.entries(context.release[section])
      .filter(([, entry]) => entry.packages.length > 0)
      .map(([name, entry]) => {
        const packages = [...new Set([...entry.packages, ...UNDER_EVERY_BUILD])];
        return base(
          ownBase(`${section}/${name}`),
          { debian: USUAL_DEBIAN, packages },
          [section, name, 'packages'],
          context,
        );
      }),
  );
  return [...written, ...asked];
}

function base(id: string, from: From, path: Path, context: Context): Item {
  const sorted: From = 'debian' in from ? { ...from, packages: [...from.packages].sort() } : from;
  return {
    ...BARE,
    id,
    path,
    needs: [],
    make: (variant) =>
      draft('makeBase', {
        id: variant.id,
        on: context.mainQueue,
        params: { name: id.slice('bases/'.length), from: sorted },
        tools: 'debian' in from ? ['docker', 'mmdebstrap'] : ['docker'],
      }),
  };
}
