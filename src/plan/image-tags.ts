import type { Axes } from '../model/ids.js';
import type { Image } from '../model/schema/sections/images.js';
import type { Context } from './context.js';
import { problems, type Path } from './errors.js';
import { problems as snapshots } from './snapshot/errors.js';
import { idOf } from './matrix.js';
import { tagsFor, untagged, type Tagging } from './tags.js';

export type ImageTag = Pick<Tagging, 'tag' | 'moves'>;

/** Cached tags: an index reads the tags of all its platforms, and each platform reads the index's tags. */
const known = new WeakMap<Context, Map<string, readonly ImageTag[]>>();

/** Returns the tags of one image: as its entry lists them, or by a file of rules. */
function tagsOf(name: string, image: Image, axes: Axes, context: Context): readonly ImageTag[] {
  const mine = known.get(context) ?? new Map<string, readonly ImageTag[]>();
  known.set(context, mine);
  const id = idOf(name, axes);
  const made = mine.get(id) ?? makeTags(name, image, axes, context);
  mine.set(id, made);
  return made;
}

function makeTags(name: string, image: Image, axes: Axes, context: Context): readonly ImageTag[] {
  const path = ['images', name, 'tags'];
  const { tags } = image;
  if (typeof tags !== 'string' && !('rules' in tags))
    return tags.map((text, index) => {
      const at = [...path, index];
      return checked({ tag: context.text(text, axes, at), moves: false }, `images/${name}`, at, context);
    });
  const { rules: file, channel = null } = typeof tags === 'string' ? { rules: tags } : tags;
  const rules = context.facts.tagRules?.[file];
  if (!rules) {
    context.complain(problems.noTagRules(context.at(path), file));
    return [];
  }
  const made = tagsFor({ name, axes }, context.tagFacts, rules, channel);
  if (made.length === 0) {
    const unknown = untagged({ name, axes }, rules).map((axis) => `no row takes ${axis} ${axes[axis] ?? '(none)'}`);
    const why = unknown.join(', ') || `${file} has no version for ${channel ?? 'this branch'} that can be filled`;
    context.complain(problems.noTag(context.at(path), `images/${name}`, why));
  }
  return made.map((one) => checked(one, `images/${name}`, path, context));
}

/** Complains about a tag that a snapshot would take from the release, because nothing of the commit or build is in it. */
function checked(one: ImageTag, id: string, path: Path, { version, tagFacts, ...context }: Context): ImageTag {
  const own = [version, tagFacts.commit?.slice(0, 6), tagFacts.build].filter((word) => word !== undefined);
  if (context.facts.git?.history && !one.moves && !own.some((word) => one.tag.includes(word)))
    context.complain(snapshots.fixedTag(context.at(path), id, one.tag));
  return one;
}

/** Returns the tags of the index: those that all platforms share, else those of the platform with the least specific
 * tags. */
export function indexTags(name: string, image: Image, axes: Axes, context: Context): readonly ImageTag[] {
  const of = context.platforms
    .filter((platform) => context.facts.platforms[platform]?.oci !== undefined)
    .map((platform) => tagsOf(name, image, { ...axes, platform }, context));
  const shared = of[0]?.filter(({ tag }) => of.every((tags) => has(tags, tag))) ?? [];
  if (shared.length > 0) return shared;
  const length = (tags: readonly ImageTag[]): number => tags.map(({ tag }) => tag).join('').length;
  return [...of].sort((a, b) => length(a) - length(b))[0] ?? [];
}

/** Returns the tags of one image that are not tags of its index. */
export function childTags(name: string, image: Image, axes: Axes, context: Context): readonly ImageTag[] {
  const own = tagsOf(name, image, axes, context);
  if (image.index === undefined) return own;
  const taken = indexTags(name, image, axes, context);
  return own.filter(({ tag }) => !has(taken, tag));
}

const has = (tags: readonly ImageTag[], tag: string): boolean => tags.some((one) => one.tag === tag);

/** Tags that are written once. */
export const fixed = (tags: readonly ImageTag[]): readonly string[] =>
  tags.flatMap(({ tag, moves }) => (moves ? [] : [tag]));

/** Tags that move with each newer commit. */
export const moving = (tags: readonly ImageTag[]): readonly string[] =>
  tags.flatMap(({ tag, moves }) => (moves ? [tag] : []));
