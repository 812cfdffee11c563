/** @needs services openssl */
// Attacks by another user of the machine on the services of one home. To add a case, write a file in another-user/ that
// exports a list of `Attack`s (ground.ts has what a case may use), and add the list below. A title begins with the
// number of the finding, so that `npx jest tests/attacks/another-user -t '\[D2\]'` runs its cases alone. Cases share
// the home: take names of your own, and wait for nothing by time.
import { database } from './another-user/database.js';
import { door } from './another-user/door.js';
import { Ground, type Attack } from './another-user/ground.js';
import { idle } from './another-user/idle.js';
import { page } from './another-user/page.js';
import { registries } from './another-user/registries.js';
import { stepWithNetwork } from './another-user/step-with-network.js';

const ATTACKS: readonly Attack[] = [...database, ...door, ...page, ...registries, ...stepWithNetwork, ...idle];

const isRoot = process.getuid?.() === 0;
const suite = isRoot ? describe : describe.skip;

suite(
  `another user of this machine${isRoot ? '' : ' (left out: only root can start a program as another user)'}`,
  () => {
    const ground = new Ground();
    beforeAll(() => ground.begin());
    afterAll(() => ground.end());
    test.each(ATTACKS)('$title', ({ run }) => run(ground));
  },
);
