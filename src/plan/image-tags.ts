import type { Axes } from '../model/ids.js';
import type { Image } from '../model/schema/sections/images.js';
import type { Context } from './context.js';
import { problems } from './errors.js';
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
    return tags.map((tag, index) => {
      if (context.facts.git?.history && !/\{(version|commit)\}/.test(tag))
        context.complain(
          snapshots.fixed(
            context.at([...path, index]),
            `images/${name}`,
            tag,
            context.version,
            'Write {version} in the tag.',
          ),
        );
      return { tag: context.text(tag, axes, [...path, index]), moves: false };
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
  return made;
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
