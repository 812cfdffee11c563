import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

export const SSHD = '/usr/sbin/sshd';

/** Configurations of ssh for a real sshd of OpenSSH with keys of its own. Each connection starts one, on a pipe and not on a port. */
export interface RealSshd {
  /** Lets us in. */
  readonly config: string;
  /** Offers a key that the server does not accept. */
  readonly strangersConfig: string;
}

/** @param before words before the program, such as `unshare --net` */
export function makeSshd(home: string, before = ''): RealSshd {
  const folder = join(home, 'sshd');
  mkdirSync(folder, { recursive: true });
  // sshd as root wants its folder, which a started service would have made.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const key = (name: string): string => {
    const path = join(folder, name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path]);
    return path;
  };
  const [host, ours, other] = ['host', 'ours', 'other'].map(key);
  const server = join(folder, 'sshd_config');
  writeFileSync(
    server,
    [
      `HostKey ${host}`,
      `AuthorizedKeysFile ${ours}.pub`,
      ...['StrictModes no', 'UsePAM no', 'PasswordAuthentication no', 'KbdInteractiveAuthentication no'],
      ...['PermitRootLogin prohibit-password', 'AllowStreamLocalForwarding yes', 'PidFile none', ''],
    ].join('\n'),
  );
  const config = (name: string, identity: string): string => {
    const path = join(folder, name);
    const lines = [
      'Host rack',
      `  User ${userInfo().username}`,
      `  ProxyCommand ${before} ${SSHD} -i -f ${server}`,
      `  IdentityFile ${identity}`,
      ...[
        '  IdentitiesOnly yes',
        '  StrictHostKeyChecking no',
        '  UserKnownHostsFile /dev/null',
        '  LogLevel ERROR',
        '',
      ],
    ];
    writeFileSync(path, lines.join('\n'));
    return path;
  };
  return { config: config('ours_config', ours!), strangersConfig: config('other_config', other!) };
}
