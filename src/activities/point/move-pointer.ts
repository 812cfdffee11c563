import { publishedBy } from '../../model/report.js';
import { pointerRule, versionsAmong, type PointerRule } from '../../engine/ledger/newest-stable.js';
import { commitRule } from '../../engine/ledger/newest-commit.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { connect } from '../publish/connect.js';
import { pointerAmbiguous, pointerNotMoved, pointerUnsupported } from '../publish/errors.js';
import type { PointerTarget, PublishPorts } from '../publish/ports.js';
import { readSealed } from '../seal/sealed.js';
import type { Body, Made, Work } from '../work.js';

type PointWork = Work<'movePointer'>;

/** Moves a tag if its rule says so, and reads it back. The rule compares versions or commits, not times: `latest` is
 * the highest stable version. */
export const createMovePointer =
  (ports: PublishPorts): Body<'movePointer'> =>
  async (work) => {
    const { target: to, name, version, when } = work.step.params;
    const pointers = ports.targets.pointers(await connect(work, to), work);
    if (!pointers) throw fail(pointerUnsupported(to.name, to.kind));
    const digest = await imageOf(work);
    const now = await pointers.digestOf(name);
    const rule =
      when === 'newest commit'
        ? commitRule(await pointers.originOf(digest), now === null ? 'nothing' : await pointers.originOf(now))
        : byVersion(work, await pointers.tags());
    const made = (moved: boolean, at: Digest | null, note: string): Made => ({
      artifacts: [],
      facts: { target: to.name, name, moved, digest: at },
      note,
      reused: !moved,
    });
    if (!rule.moves)
      return made(false, now, `${name} stays${rule.version === null ? '' : ` at ${rule.version}`}: ${rule.because}`);
    if (now === digest) return made(false, now, `${name} is already at ${version}`);
    await move(work, pointers, name, digest);
    return made(true, digest, `${name} now at ${version}: ${rule.because}`);
  };

/** A release whose tags there lack its version, such as a nightly, never becomes `latest`. */
function byVersion(work: PointWork, tags: readonly string[]): PointerRule {
  const { version, when } = work.step.params;
  const { source } = work.plan;
  const own = ownTags(work);
  if (when !== 'always' && own.length > 0 && !own.some((tag) => tag.includes(version)))
    return { moves: false, because: `no tag of this release says its version, ${version}`, version: null };
  const known = versionsAmong(tags, own, version, source.kind === 'git' ? source.commit : null);
  return pointerRule(version, known, when === 'always' ? 'always' : 'newest stable');
}

async function move(work: PointWork, pointers: PointerTarget, name: string, digest: Digest): Promise<void> {
  await work.effect(() => pointers.point(name, digest));
  const seen = await pointers.digestOf(name);
  if (seen !== digest) throw fail(pointerNotMoved(name, seen ?? 'nothing', digest));
}

const ownTags = (work: PointWork): readonly string[] =>
  work.inputs
    .filter((input) => input.facts['target'] === work.step.params.target.name)
    .flatMap(publishedBy)
    .map(({ name }) => name.slice(name.lastIndexOf(':') + 1));

/** Returns the digest of the one image that `to` names in the sealed manifest. Throws if there is not exactly one. */
async function imageOf(work: PointWork): Promise<Digest> {
  const { name, to } = work.step.params;
  const { artifacts } = (await readSealed(work)).manifest;
  const images = new Set(
    artifacts.filter(({ step, kind }) => step === to && kind === 'image').map(({ digest }) => digest),
  );
  if (images.size !== 1) throw fail(pointerAmbiguous(name, to, images.size));
  return [...images][0]!;
}
