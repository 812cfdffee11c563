/** @slow */
import { withoutMap } from '../support/bundle-cache.js';
import { bundleAnew } from '../temporal-env.js';

test('given the workflow bundle, then it has no Node module and no zod, and its code without the source map is small', async () => {
  const { code } = await bundleAnew();
  expect(withoutMap(code).length).toBeLessThan(1_187_000);
  expect(code).not.toMatch(/node_modules\/zod/);
  expect(code).not.toMatch(/require\("(node:|fs|crypto|path|child_process)/);
});
