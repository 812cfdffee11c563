import type { Axes } from '../model/ids.js';
import type { Image } from '../model/schema/sections/images.js';
import type { Context } from './context.js';
import { problems } from './errors.js';
import { tagsFor, untagged } from './tags.js';

/** Tags of one image as its entry says them: written out, or by a file of rules. */
function tagsOf(name: string, image: Image, axes: Axes, context: Context): readonly string[] {
  const path = ['images', name, 'tags'];
  const { tags } = image;
  if (typeof tags !== 'string' && !('rules' in tags))
    return tags.map((tag, index) => context.text(tag, axes, [...path, index]));
  const { rules: file, channel = null } = typeof tags === 'string' ? { rules: tags } : tags;
  const rules = context.facts.tagRules?.[file];
  if (!rules) {
    context.complain(problems.noTagRules(context.at(path), file));
    return [];
  }
  const { version, commit } = context;
  const made = tagsFor({ name, axes }, { version, commit, branch: context.facts.git?.branch ?? null }, rules, channel);
  if (made.length === 0) {
    const unknown = untagged({ name, axes }, rules).map((axis) => `no row takes ${axis} ${axes[axis] ?? '(none)'}`);
    const why = unknown.join(', ') || `${file} has no version for ${channel ?? 'this branch'} that can be filled`;
    context.complain(problems.noTag(context.at(path), `images/${name}`, why));
  }
  return made.map(({ tag }) => tag);
}

/** Tags of the index: those that all platforms share, else those of the platform whose tags say least of it. */
export function indexTags(name: string, image: Image, axes: Axes, context: Context): readonly string[] {
  const of = context.platforms
    .filter((platform) => context.facts.platforms[platform]?.oci !== undefined)
    .map((platform) => tagsOf(name, image, { ...axes, platform }, context));
  const shared = of[0]?.filter((tag) => of.every((tags) => tags.includes(tag))) ?? [];
  if (shared.length > 0) return shared;
  const length = (tags: readonly string[]): number => tags.join('').length;
  return [...of].sort((a, b) => length(a) - length(b))[0] ?? [];
}

/** Tags of one image alone: what its index is called is not also its own name. */
export function childTags(name: string, image: Image, axes: Axes, context: Context): readonly string[] {
  const own = tagsOf(name, image, axes, context);
  if (image.index === undefined) return own;
  const taken = new Set(indexTags(name, image, axes, context));
  return own.filter((tag) => !taken.has(tag));
}
