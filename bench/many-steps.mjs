/** A release file of about `count` steps: packages on four Pythons, each tested. */
export function manySteps(count) {
  const packages = Array.from({ length: Math.floor(count / 8) }, (_, at) => `p${at}`);
  return [
    'slipway: 1',
    'release: { name: many, version: 1.0.0 }',
    `source: { sdist: many==1.0.0, sha256: ${'ab'.repeat(32)} }`,
    'platforms: [linux-x86_64]',
    'pythons: [cp310, cp311, cp312, cp313]',
    'wheels:',
    ...packages.map((name) => `  ${name}: { builder: uv }`),
    'tests:',
    ...packages.map(
      (name) =>
        `  ${name}: { needs: [wheels/${name}], in: venv, run: python -c 'import ${name}; print(1)', expect: '1' }`,
    ),
    '',
  ].join('\n');
}
