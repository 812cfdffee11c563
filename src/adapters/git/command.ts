/** Protocols that git may use. An empty list allows none. */
export type Protocol = 'file' | 'git' | 'http' | 'https' | 'ssh';

/** Returns the protocol of a repository's address: a path, a URL, or `host:path`. */
export function protocolOf(address: string): Protocol {
  if (address.startsWith('/')) return 'file';
  return (/^(file|git|https?|ssh):\/\//.exec(address)?.[1] as Protocol | undefined) ?? 'ssh';
}

/** Disables all settings that start programs or read other users' files. They precede every command. */
const OFF = [
  'safe.bareRepository=explicit',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.pager=cat',
  'core.alternateRefsCommand=',
  'credential.helper=',
  'diff.external=',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'gpg.program=false',
  'gpg.ssh.program=false',
  'gpg.x509.program=false',
  'log.showSignature=false',
  'push.gpgSign=false',
  'tag.gpgSign=false',
  'http.followRedirects=false', // a credential would follow
  'protocol.ext.allow=never',
  'protocol.allow=never',
];

/** Returns a git command with every setting disabled that could start a program. All code under src runs git through
 * it. */
export const gitCommand = (args: readonly string[], protocols: readonly Protocol[] = []): readonly string[] => [
  'git',
  ...[...OFF, ...protocols.map((one) => `protocol.${one}.allow=always`)].flatMap((setting) => ['-c', setting]),
  '--no-pager',
  ...args,
];

/** Environment of git: no system or user settings, no prompts, no replacement objects. */
export const gitVariables = (protocols: readonly Protocol[] = []): Record<string, string> => ({
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TEMPLATE_DIR: '',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
  GIT_NO_LAZY_FETCH: '1',
  // An empty list would allow every protocol that the settings allow.
  GIT_ALLOW_PROTOCOL: protocols.length === 0 ? 'none' : protocols.join(':'),
});
