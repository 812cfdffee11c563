import type { Interpreters } from '../activities/pythons/ports.js';
import type { Body, Toolchain } from '../activities/work.js';
import type { KindName } from '../model/kinds.js';

/** Adds this machine's paths of Pythons to the toolchain, which pins only versions because paths differ between
 * machines. */
export const withPythons =
  <K extends KindName>(interpreters: Interpreters, body: Body<K>): Body<K> =>
  async (work) =>
    body(work.toolchain ? { ...work, toolchain: await here(work.toolchain, interpreters) } : work);

async function here(toolchain: Toolchain, interpreters: Interpreters): Promise<Toolchain> {
  const found = await Promise.all(
    Object.keys(toolchain.pythons).map(async (tag) => [tag, (await interpreters.find(tag))?.path] as const),
  );
  const paths = found.filter((one): one is readonly [string, string] => one[1] !== undefined);
  return { ...toolchain, pythons: Object.fromEntries(paths) };
}
