import { counted } from '../../model/counted.js';
import type { Finding } from '../../model/finding.js';
import { some } from '../file-problem.js';
import type { Setting } from '../importer.js';
import { alertsOf } from './alerts.js';
import type { RayImport } from './asked.js';
import { byodImage } from './byod.js';
import type { Chosen } from './choose.js';
import { DEFAULT_PYTHON, textIn } from './test.js';

/** Notices about chosen tests, for people. */
export const noticesOf = (chosen: readonly Chosen[], say: RayImport, setting: Setting): readonly Finding[] => [
  ...(say.byod === undefined ? imageNotices(chosen, setting) : []),
  ...alertNotices(chosen, setting),
  ...idleNotices(chosen),
];

function imageNotices(chosen: readonly Chosen[], { hash }: Setting): readonly Finding[] {
  const wanting = chosen.flatMap(({ test, form: { byod, keys } }) =>
    byod === null ? [] : [{ test: test.name, image: byodImage(byod, textIn(keys, 'python') ?? DEFAULT_PYTHON, hash) }],
  );
  const images = [...new Set(wanting.map(({ image }) => image))];
  if (images.length === 0) return [];
  return [
    {
      level: 'warning',
      code: 'RAY_TESTS_IMAGE_NOT_BUILT',
      subject: some(images),
      why: `no step builds the images for ${counted(wanting.length, 'test')}: ${some(wanting.map(({ test }) => test))}`,
      next: 'Add `byod` to the import, and the images are built. Without it each test runs on its cluster as that is.',
    },
  ];
}

function alertNotices(chosen: readonly Chosen[], { config }: Setting): readonly Finding[] {
  return chosen.flatMap(({ test, form, isSmoke }): readonly Finding[] => {
    const suite = textIn(form.keys, 'alert') ?? 'default';
    if (alertsOf(suite, test.name, isSmoke, config.alerts)?.isNamed !== false) return [];
    return [
      {
        level: 'warning',
        code: 'RAY_TESTS_ALERT_IDLE',
        subject: test.name,
        why: `its suite of alerts, ${suite}, has no threshold for it, so no result can fail it`,
        next: 'Add its name to the suite in config/alerts/ray.yaml, or remove its key alert.',
      },
    ];
  });
}

function idleNotices(chosen: readonly Chosen[]): readonly Finding[] {
  const idle = chosen.filter(({ test, isSmoke }) => isSmoke && test.idle.length > 0);
  const keys = [...new Set(idle.flatMap(({ test }) => test.idle))];
  if (idle.length === 0) return [];
  return [
    {
      level: 'warning',
      code: 'RAY_TESTS_KEY_IDLE',
      subject: some(idle.map(({ test }) => test.name)),
      why: `nothing reads these keys of ${counted(idle.length, 'smoke test')}: ${some(keys)}`,
      next: 'Remove the keys from smoke_test, and commit the file.',
    },
  ];
}
