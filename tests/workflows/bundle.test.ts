import { bundleAnew } from '../temporal-env.js';

test('workflows bundle without Node, zod or anything heavy', async () => {
  const { code } = await bundleAnew();
  expect(code.length).toBeLessThan(3_100_000);
  expect(code).not.toMatch(/node_modules\/zod/);
  expect(code).not.toMatch(/require\("(node:|fs|crypto|path|child_process)/);
});
