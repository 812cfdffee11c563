/** Text of a pipeline whose tests run on a cluster of shell lines.
 * @param run line that runs a test @param more sections */
export const aNight = (name: string, label: string, run: string, more: string): string => `slipway: 1
pipeline: { name: ${name}, label: ${label} }
source: { git: .. }
platforms: [linux-x86_64]
pythons: [cp311]
clusters:
  far:
    manager: command
    lines:
      up: echo "{}"
      nodes: echo 1
      put: 'true'
      get: 'true'
      run: ${run}
      down: 'true'
${more}`;
