import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { aLock, boatyard, boatyardWith, RECIPES, recipeOf } from './an-environment.js';
import { blobsOf } from './contents.js';
import { pathsOf, planned } from './planned.js';

/** Tests that the double and a real Spack pass alike. */
export function testSpack(spack: string): void {
  test('when two specs are built, then the second takes the binary of the first', async () => {
    const { build } = await planned(spack, boatyard());
    const keel = await build('keel');
    expect(pathsOf(keel)).toHaveLength(3);
    expect(pathsOf(keel)[0]).toBe(
      'v3/manifests/spec/keel/keel-1.0-jbqqowgffc5qtmmxrcbmfu3ghom42ip4.spec.manifest.json',
    );
    const hull = await build('hull', [keel]);
    // rudder links with hull, which links with keel: it gets both from hull.
    const rudder = await build('rudder', [hull]);
    expect(rudder.note).toMatch(/^\/xrv2pac, \d+ KiB, 1 dependencies$/);
  });

  test('when the binary of a dependency is absent, then the spec fails', async () => {
    const { build } = await planned(spack, boatyard());
    await expect(build('hull')).rejects.toThrow('SPEC_FAILED: Spack could not build hull@1.0');
  });

  test('when spack.yaml includes a file, then the spec is the one of the lock', async () => {
    const yaml = boatyard()['env/spack.yaml']!.replace('spack:', 'spack:\n  include: [more.yaml]');
    const more = 'config: { ccache: false }\npackages: { all: { require: target=x86_64 } }\n';
    const { build } = await planned(spack, { ...boatyard(), 'env/spack.yaml': yaml, 'env/more.yaml': more });
    expect(pathsOf(await build('keel'))[0]).toContain('keel-1.0-jbqqowgffc5qtmmxrcbmfu3ghom42ip4');
  });

  test('when the recipes are as locked, then the proof has the version of Spack', async () => {
    const { prove } = await planned(spack, boatyard());
    const { facts, note } = await prove('keel', 'hull', 'mast');
    expect(note).toBe(`Spack ${String(facts?.['spack'])}, 3 recipes as locked`);
  });

  test('when a recipe has other code than the lock was written for, then the proof fails', async () => {
    const files = boatyard();
    const mast = files[recipeOf('mast')]!.replace('return 1', 'return 2');
    const { prove } = await planned(spack, { ...files, [recipeOf('mast')]: mast });
    await expect(prove('keel', 'mast')).rejects.toThrow(
      /^RECIPE_DIFFERS: the recipe of mast@1\.0 has the hash \S+, and/,
    );
  });

  test('when nothing proves the recipes, then Spack builds other code under the hash of the lock', async () => {
    const files = boatyard();
    const changed = files[recipeOf('keel')]!.replace(
      'return 1;',
      'return 2; } const char *changed(void) { return \\"LATER\\";',
    );
    const { home, prove, build } = await planned(spack, { ...files, [recipeOf('keel')]: changed });
    await expect(prove('keel')).rejects.toThrow('RECIPE_DIFFERS');
    const made = await build('keel');
    expect(pathsOf(made)[0]).toContain('/keel-1.0-jbqqowgffc5qtmmxrcbmfu3ghom42ip4.');
    expect((await blobsOf(home, made)).some((blob) => blob.includes('LATER'))).toBe(true);
    const locked = await planned(spack, files);
    const right = await locked.build('keel');
    expect(pathsOf(right)[0]).toBe(pathsOf(made)[0]);
    expect((await blobsOf(locked.home, right)).some((blob) => blob.includes('LATER'))).toBe(false);
  });

  test('when only a comment of a recipe differs, then the proof passes', async () => {
    const files = boatyard();
    const { prove } = await planned(spack, { ...files, [recipeOf('mast')]: `${files[recipeOf('mast')]!}# a word\n` });
    expect((await prove('mast')).findings ?? []).toEqual([]);
  });

  test("when recipes are the worker's own, then their index is made once, in the shared cache", async () => {
    const repos = join(__dirname, '../../../examples/boatyard', RECIPES);
    const { home, prove, build } = await planned(spack, boatyard(), { repos });
    await prove('keel');
    const [key] = readdirSync(join(home, 'cache/spack'));
    const at = statSync(join(home, 'cache/spack', key!)).ctimeMs;
    expect(pathsOf(await build('keel'))).toHaveLength(3);
    expect(readdirSync(join(home, 'cache/spack'))).toEqual([key]);
    expect(statSync(join(home, 'cache/spack', key!)).ctimeMs).toBe(at);
  });

  test('when the worker has no repository for a spec, then the proof fails', async () => {
    const { prove } = await planned(spack, boatyardWith(aLock({ zlib: [] })));
    await expect(prove('zlib')).rejects.toThrow('RECIPE_UNREAD: Spack cannot load the recipe of zlib@1.0');
  });
}
