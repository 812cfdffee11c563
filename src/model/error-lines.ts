export interface ErrorLine {
  readonly tool: string;
  /** A case-sensitive regular expression for one line without colours. */
  readonly says: string;
  /** Number of following lines that belong to the error. Indented lines always do. */
  readonly and?: number;
  /** A line that matches this row and no row before it. */
  readonly example: string;
}

/** Lines that announce an error, by tool. Only the first match of an output is shown, so a row must not match progress
 * lines. */
export const ERROR_LINES = [
  {
    tool: 'C and C++ compilers',
    says: '^(?!cc1)[^\\s:][^:]*:\\d+(:\\d+)?: (fatal |internal compiler )?error: ',
    example: 'a.c:2:10: fatal error: lber.h: No such file or directory',
  },
  {
    tool: 'linkers',
    says: 'undefined (reference to|symbol: )|multiple definition of|cannot find -l|(^|/)ld(\\.\\w+)?: (error: |fatal: |final link failed)',
    example: 'm.c:(.text+0xa): undefined reference to `draft`',
  },
  { tool: 'rustc, cargo', says: '^error\\[E\\d+\\]: ', example: 'error[E0308]: mismatched types' },
  {
    tool: 'Rust',
    says: "^\\s*thread '.*' (\\(\\d+\\) )?panicked at ",
    and: 1,
    example: "thread 'main' panicked at build.rs:3:5:",
  },
  { tool: 'maturin', says: '^💥 .*failed', example: '💥 maturin failed' },
  {
    tool: 'CMake',
    says: '^CMake Error( at|:| in|$)',
    and: 1,
    example: 'CMake Error at CMakeLists.txt:5 (message):',
  },
  {
    tool: 'Maven',
    says: '^\\[(ERROR|FATAL)\\] (?!\\[ERROR\\]|COMPILATION ERROR|Tests run:|Failures: *$|Errors: *$|Help 1|-+$|Some problems were)\\S',
    example: '[ERROR] /src/main/java/Hull.java:[2,24] cannot find symbol',
  },
  {
    tool: 'npm',
    says: '^npm (error|ERR!) (?!code |syscall |path |errno |command |workspace |location |Lifecycle |A complete log|For a full report)\\S',
    example: 'npm error Missing script: "build"',
  },
  {
    tool: 'TypeScript',
    says: '^\\S+\\(\\d+,\\d+\\): error TS\\d+: ',
    example: 'src/hull.ts(3,5): error TS2304: Cannot find name',
  },
  {
    tool: 'Go',
    says: '^(\\S+\\.go:\\d+:\\d+: |go: )(?!downloading|finding|added|creating|to add|upgraded|warning)',
    example: './hull.go:3:5: undefined: mast',
  },
  {
    tool: 'Cython',
    says: '^\\S+\\.p(yx|xd|xi):\\d+:\\d+: ',
    example: 'hull.pyx:3:5: undeclared name not builtin: mast',
  },
  { tool: 'pytest', says: '^E {3,}\\S', example: 'E       assert 1 == 2' },
  {
    tool: 'Java',
    says: '^(Exception in thread ".*" |Caused by: )?([\\w$]+\\.)+[A-Z][\\w$]*(Error|Exception)(: |$)',
    example: 'Exception in thread "main" java.lang.IllegalStateException: no hull',
  },
  {
    tool: 'Python',
    says: '^\\s*(\\w+\\.)*[A-Z]\\w*(Error|Exception|Interrupt): ',
    example: "ModuleNotFoundError: No module named 'hull'",
  },
  { tool: 'apt', says: '^E: ', example: 'E: Unable to locate package libhull-dev' },
  { tool: 'dpkg', says: '^dpkg(-deb)?: error ', example: 'dpkg: error processing archive hull.deb (--unpack):' },
  {
    tool: 'Docker',
    says: '^(COPY|ADD) failed: |^Cannot connect to the Docker daemon|dockerfile parse error|failed to (solve|compute cache key): ',
    example: 'COPY failed: file not found in build context: stat hull: file does not exist',
  },
  {
    tool: 'uv',
    says: '^ *× (?!.*did not run successfully)',
    example: '  × No solution found when resolving dependencies:',
  },
  {
    tool: 'shells',
    says: '^(\\S*/)?(ba|da|z|k)?sh: .*(not found|No such file or directory|Permission denied|[Ss]yntax error|cannot (open|create) )',
    example: 'sh: 1: tsc: not found',
  },
  {
    tool: 'make',
    says: '^g?make(\\[\\d+\\])?: \\*\\*\\* ',
    example: "make: *** No rule to make target 'hull'.  Stop.",
  },
  {
    tool: 'git',
    says: '^fatal: ',
    example: "fatal: could not read Username for 'https://h': terminal prompts disabled",
  },
  {
    tool: 'other programs',
    says: '^\\s*([\\w./+-]+(:\\d+){0,2}: )?([Ff]atal error|[Ff]atal|[Ee]rror|ERROR|FATAL): (?=.*[A-Za-z])|^(ERROR|FATAL) +[A-Z]',
    example: "error: command '/usr/bin/gcc' failed with exit code 1",
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
