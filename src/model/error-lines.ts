export interface ErrorLine {
  readonly tool: string;
  /** A case-sensitive regular expression for one line without colours. */
  readonly says: string;
  /** Number of following lines that belong to the error. Indented lines always do. */
  readonly and?: number;
}

/** Lines that announce an error, by tool. Only the first match of an output is shown, so a row must not match progress
 * lines. */
export const ERROR_LINES = [
  { tool: 'C and C++ compilers', says: '^(?!cc1)[^\\s:][^:]*:\\d+(:\\d+)?: (fatal |internal compiler )?error: ' },
  {
    tool: 'linkers',
    says: 'undefined (reference to|symbol: )|multiple definition of|cannot find -l|(^|/)ld(\\.\\w+)?: (error: |fatal: |final link failed)',
  },
  { tool: 'rustc, cargo', says: '^error\\[E\\d+\\]: ' },
  { tool: 'Rust', says: "^\\s*thread '.*' (\\(\\d+\\) )?panicked at ", and: 1 },
  { tool: 'maturin', says: '^💥 .*failed' },
  { tool: 'CMake', says: '^CMake Error( at|:| in|$)', and: 1 },
  {
    tool: 'Maven',
    says: '^\\[(ERROR|FATAL)\\] (?!\\[ERROR\\]|COMPILATION ERROR|Tests run:|Failures: *$|Errors: *$|Help 1|-+$|Some problems were)\\S',
  },
  {
    tool: 'npm',
    says: '^npm (error|ERR!) (?!code |syscall |path |errno |command |workspace |location |Lifecycle |A complete log|For a full report)\\S',
  },
  { tool: 'TypeScript', says: '^\\S+\\(\\d+,\\d+\\): error TS\\d+: ' },
  { tool: 'Go', says: '^(\\S+\\.go:\\d+:\\d+: |go: )(?!downloading|finding|added|creating|to add|upgraded|warning)' },
  { tool: 'Cython', says: '^\\S+\\.p(yx|xd|xi):\\d+:\\d+: ' },
  { tool: 'pytest', says: '^E {3,}\\S' },
  { tool: 'Java', says: '^(Exception in thread ".*" |Caused by: )?([\\w$]+\\.)+[A-Z][\\w$]*(Error|Exception)(: |$)' },
  { tool: 'Python', says: '^\\s*(\\w+\\.)*[A-Z]\\w*(Error|Exception|Interrupt): ' },
  { tool: 'apt', says: '^E: ' },
  { tool: 'dpkg', says: '^dpkg(-deb)?: error ' },
  {
    tool: 'Docker',
    says: '^(COPY|ADD) failed: |^Cannot connect to the Docker daemon|dockerfile parse error|failed to (solve|compute cache key): ',
  },
  { tool: 'uv', says: '^ *× (?!.*did not run successfully)' },
  {
    tool: 'shells',
    says: '^(\\S*/)?(ba|da|z|k)?sh: .*(not found|No such file or directory|Permission denied|[Ss]yntax error|cannot (open|create) )',
  },
  { tool: 'make', says: '^g?make(\\[\\d+\\])?: \\*\\*\\* ' },
  { tool: 'git', says: '^fatal: ' },
  {
    tool: 'other programs',
    says: '^\\s*([\\w./+-]+(:\\d+){0,2}: )?([Ff]atal error|[Ff]atal|[Ee]rror|ERROR|FATAL): (?=.*[A-Za-z])|^(ERROR|FATAL) +[A-Z]',
  },
] as const satisfies readonly ErrorLine[];

/** Lines that match a row but report no error. Any of these expressions suffices. */
export const NOT_ERRORS = [
  '\\berrors?(: |=)(0|none|false|off)\\b',
  '\\berrors?: no$',
  '^fatal: (not a git repository|No names found|No tags can describe)',
  '\\b(0|no) errors?\\b',
  '^\\s*error: subprocess-exited-with-error',
  '^error: (aborting due to |failed to run custom build command)',
  "^ERROR: (Ignored the following versions|pip's dependency resolver does not)",
  '\\(ignored\\)$',
  '^\\S+: warning: ',
  '^warning: ',
] as const;
