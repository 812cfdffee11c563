import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FILES = ['release_tests', 'release_data_tests', 'release_multimodal_tests'].map((name) => `release/${name}.yaml`);
const TESTS = 433;
const COMPUTES = 220;

/** A test as upstream's files have them, of some 26 lines with its variations. */
const entry = (at) => `
- name: test_${at}
  group: group ${at % 12}
  working_dir: folder_${at % 40}
  python: "3.11"
  frequency: ${['nightly', 'weekly', 'manual'][at % 3]}
  team: ${['core', 'data', 'serve', 'ml'][at % 4]}
  cluster:
    byod:
      runtime_env:
        - RAY_DATA_VERBOSE=1
    cluster_compute: compute_${at % COMPUTES}.yaml
  run:
    timeout: ${600 + at}
    script: python workload_${at}.py --num-nodes ${at % 9} --mode 'full'
    wait_for_nodes:
      num_nodes: 1
  variations:
    - __suffix__: aws
    - __suffix__: smoke
      frequency: manual
      run:
        timeout: 300
        script: python workload_${at}.py --quick
`;

const compute = (at) => `cloud_id: {{env["ANYSCALE_CLOUD_ID"]}}
region: us-west-2
max_workers: ${at % 20}
head_node_type:
  name: head_node
  instance_type: m5.${2 ** (1 + (at % 4))}xlarge
worker_node_types:
  - name: worker_node
    instance_type: m5.${2 ** (1 + (at % 4))}xlarge
    min_workers: ${at % 20}
    max_workers: ${at % 20}
    use_spot: false
advanced_configurations_json:
  TagSpecifications:
    - ResourceType: instance
      Tags:
        - Key: ttl-hours
          Value: '24'
  BlockDeviceMappings:
    - DeviceName: /dev/sda1
      Ebs:
        DeleteOnTermination: true
        VolumeSize: ${100 + at}
`;

/** Writes 433 tests in three files, 220 compute files and a release file that imports them. */
export function writeTests(folder) {
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const entries = Math.ceil(TESTS / 2);
  const texts = FILES.map(() => '');
  for (let at = 0; at < entries; at += 1) texts[at % 8 === 0 ? 2 : at % 4 === 1 ? 1 : 0] += entry(at);
  texts[0] = texts[0].replace('    - __suffix__: aws\n', ''); // 433 is odd
  FILES.forEach((path, index) => write(path, texts[index]));
  for (let at = 0; at < entries; at += 1)
    write(`release/folder_${at % 40}/compute_${at % COMPUTES}.yaml`, compute(at % COMPUTES));
  write('release/ray_release/environments/aws.env', 'RELEASE_DEFAULT_CLOUD_ID=cld\n');
  write('slipway/slipway.yaml', releaseFile());
  return FILES;
}

const releaseFile = () => `slipway: 1
pipeline: { name: bench, label: B1 }
source: { git: .. }
pythons: [cp311]
clusters: { one: { manager: local, cpus: 2 } }
tests:
  all: { import: ray, files: [${FILES.join(', ')}], clusters: { aws: one } }
`;
