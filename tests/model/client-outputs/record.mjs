// Records what clients print when their server fails: `node tests/model/client-outputs/record.mjs [CLIENT …]`.
// A server on the loopback interface fails in each way. Ports and folders are replaced, so that texts are comparable.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OUT = dirname(fileURLToPath(import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'clients-'));
const TEXT = {
  401: 'Unauthorized',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};
const PACKAGES =
  'Package: mast\nVersion: 1.0\nArchitecture: all\nMaintainer: nobody\nFilename: ./pool/mast.deb\nSize: 10\nSHA256: ' +
  '0'.repeat(64) +
  '\nDescription: mast\n\n';

/** How a server fails, by name. Indexes of apt answer, so that it fetches a package. */
const TROUBLES = {
  ...Object.fromEntries(
    Object.keys(TEXT).map((status) => [
      status,
      (response) => {
        response.writeHead(Number(status), TEXT[status]);
        response.end(TEXT[status]);
      },
    ]),
  ),
  reset: (response) => response.socket.resetAndDestroy(),
  silent: () => undefined,
  cut: (response) => {
    response.writeHead(200, { 'content-length': '1000', 'content-type': 'text/html' });
    response.write('<html>');
    setTimeout(() => response.socket.destroy(), 50);
  },
};

const serve = (trouble) =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      if (request.url.endsWith('Packages')) return response.end(PACKAGES);
      if (/Release|Packages/.test(request.url)) {
        response.writeHead(404);
        return response.end();
      }
      TROUBLES[trouble](response);
    });
    server.listen(0, '127.0.0.1', () =>
      resolve({
        address: `127.0.0.1:${server.address().port}`,
        close: () => {
          server.closeAllConnections();
          server.close();
        },
      }),
    );
  });
const dead = () =>
  new Promise((resolve) => {
    const one = createTcpServer().listen(0, '127.0.0.1', () => {
      const { port } = one.address();
      one.close(() => resolve({ address: `127.0.0.1:${port}`, close: () => undefined }));
    });
  });

const file = (path, text) => {
  mkdirSync(dirname(join(work, path)), { recursive: true });
  writeFileSync(join(work, path), text);
  return join(work, path);
};

/** Command lines by client. @param at host:port */
const CLIENTS = {
  curl: (at) => `curl -fsS --max-time 2 http://${at}/mast.tar.gz -o /dev/null`,
  wget: (at) => `wget -t 2 -T 2 http://${at}/mast.tar.gz -O /dev/null`,
  'wget-quiet': (at) => `wget -nv -t 1 -T 2 http://${at}/mast.tar.gz -O /dev/null`,
  pip: (at) =>
    `python3 -m pip --isolated --no-input download --no-cache-dir --disable-pip-version-check --retries 1 --timeout 2 -i http://${at}/simple/ --trusted-host mast.invalid mast`,
  'pip-url': (at) =>
    `python3 -m pip --isolated --no-input download --no-cache-dir --disable-pip-version-check --retries 1 --timeout 2 --no-deps http://${at}/mast-1.0-py3-none-any.whl`,
  uv: (at) =>
    `UV_HTTP_TIMEOUT=2 UV_HTTP_RETRIES=1 uv --no-config --no-cache pip install --target . --default-index http://${at}/simple/ mast`,
  'uv-url': (at) =>
    `UV_HTTP_TIMEOUT=2 UV_HTTP_RETRIES=1 uv --no-config --no-cache pip install --target . --no-deps http://${at}/mast-1.0-py3-none-any.whl`,
  npm: (at) =>
    `npm install --cache ${work}/npm --registry http://${at}/ --fetch-retries 1 --fetch-retry-mintimeout 10 --fetch-timeout 2000 --no-audit --no-update-notifier --prefix . mast`,
  mvn: (at) =>
    `rm -rf ${work}/m2; timeout 60 mvn -B -ntp -Dmaven.repo.local=${work}/m2 -Dmaven.wagon.httpconnectionManager.maxBackoffSeconds=1 -Dmaven.wagon.rto=2000 -Dmaven.wagon.http.retryHandler.count=1 -s ${file('settings.xml', `<settings><mirrors><mirror><id>hull</id><mirrorOf>*</mirrorOf><url>http://${at}/maven</url></mirror></mirrors></settings>`)} -f ${file('pom.xml', '<project><modelVersion>4.0.0</modelVersion><parent><groupId>org.mast</groupId><artifactId>mast</artifactId><version>1</version></parent><artifactId>hull</artifactId></project>')} validate`,
  cargo: (at) =>
    `cd ${dirname(file('crate/Cargo.toml', '[package]\nname = "hull"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\nmast = "1"\n'))} && mkdir -p src .cargo && touch src/lib.rs && printf '[source.crates-io]\\nreplace-with = "near"\\n[source.near]\\nregistry = "sparse+http://${at}/index/"\\n' > .cargo/config.toml && CARGO_HOME=${work}/cargo-home RUSTUP_HOME=\${RUSTUP_HOME:-$HOME/.rustup} CARGO_NET_RETRY=1 CARGO_HTTP_TIMEOUT=2 cargo fetch`,
  go: (at) =>
    `cd ${dirname(file('module/go.mod', 'module hull\n\ngo 1.21\n\nrequire example.com/mast v1.0.0\n'))} && GOFLAGS=-mod=mod GONOSUMDB='*' GONOSUMCHECK=1 GOTOOLCHAIN=local GOMODCACHE=${work}/gomod GOPROXY=http://${at} timeout 4 go mod download`,
  git: (at) => `git -c http.lowSpeedLimit=1 -c http.lowSpeedTime=2 -c credential.helper= clone http://${at}/mast.git`,
  apt: (at) => {
    for (const folder of ['lists/partial', 'cache/archives/partial', 'parts'])
      mkdirSync(join(work, 'apt', folder), { recursive: true });
    file('apt/sources.list', `deb [trusted=yes] http://${at} ./\n`);
    file('apt/status', '');
    const options = `-o Dir::Etc::sourcelist=${work}/apt/sources.list -o Dir::Etc::sourceparts=${work}/apt/parts -o Dir::State::lists=${work}/apt/lists -o Dir::State::status=${work}/apt/status -o Dir::Cache=${work}/apt/cache -o Acquire::Retries=1 -o Acquire::http::Timeout=2 -o APT::Sandbox::User=root -o Dir::Etc::parts=${work}/apt/parts -o Dir::Etc::main=/dev/null -o Acquire::Languages=none`;
    return `rm -rf ${work}/apt/lists && mkdir -p ${work}/apt/lists/partial; apt-get ${options} -q update; apt-get ${options} -qy --no-install-recommends -d install mast`;
  },
};

const wanted = process.argv.slice(2);
const names = wanted.length > 0 ? wanted : Object.keys(CLIENTS);
for (const client of names) {
  const recorded = [];
  for (const trouble of [...Object.keys(TROUBLES), 'refused', 'unknown']) {
    const server =
      trouble === 'refused'
        ? await dead()
        : trouble === 'unknown'
          ? { address: 'mast.invalid:80', close: () => undefined }
          : await serve(trouble);
    const folder = mkdtempSync(join(work, 'run-'));
    const child = spawn('bash', ['-c', `${CLIENTS[client](server.address)} 2>&1`], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        LC_ALL: 'C',
        GIT_TERMINAL_PROMPT: '0',
        PIP_CONFIG_FILE: '/dev/null',
        NPM_CONFIG_USERCONFIG: '/dev/null',
      },
    });
    let text = '';
    child.stdout.on('data', (bytes) => (text += bytes));
    const code = await new Promise((resolve) => child.on('close', resolve));
    server.close();
    const told = text
      .replaceAll(folder, '/hull/run')
      .replaceAll(work, '/hull')
      .replaceAll(join(OUT, '..', '..', '..'), '/hull')
      .replaceAll(homedir(), '/home/hull')
      .replaceAll(server.address, trouble === 'unknown' ? 'mast.invalid' : '127.0.0.1:8080')
      .replaceAll(trouble === 'unknown' ? '-no-' : server.address.split(':')[1], '8080')
      .replace(/0x[0-9a-f]+/g, '0x7f')
      .replace(/\d{4}-\d\d-\d\d([T ])\d\d[:_]\d\d[:_]\d\d/g, '2026-11-27$112:00:00')
      .replace(/\r/g, '\n');
    if (code === 0) {
      console.log(`${client} ${trouble}: exit 0`);
      continue;
    }
    recorded.push(`=== ${trouble}\n${told.trimEnd()}\n`);
    console.log(`${client} ${trouble}: exit ${code}, ${told.split('\n').length} lines`);
  }
  writeFileSync(join(OUT, `${client}.txt`), recorded.join(''));
}
rmSync(work, { recursive: true, force: true });
