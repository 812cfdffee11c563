/** @slow */
import { createServices } from '../../src/services/create-services.js';
import { aHome } from './a-home.js';

describe('the doctor, with nothing up', () => {
  it('given services that are down, then it names each and what to type', async () => {
    const { env, remove } = await aHome();
    const findings = await createServices(env).doctor();
    remove();
    const down = findings.filter((finding) => finding.mend === 'slipway up').map((finding) => finding.name);
    expect(down).toEqual(
      expect.arrayContaining(['supervisor', 'temporal', 'docker', 'index', 'maven', 'staging', 'registry']),
    );
    expect(findings.filter((finding) => !finding.ok && finding.mend === '')).toEqual([]);
  });
});
