/** @slow */
import { bundleAnew } from '../temporal-env.js';

test('given the workflow bundle, then it has no Node module and no zod, and is small', async () => {
  const { code } = await bundleAnew();
  expect(code.length).toBeLessThan(3_200_000);
  expect(code).not.toMatch(/node_modules\/zod/);
  expect(code).not.toMatch(/require\("(node:|fs|crypto|path|child_process)/);
});
