const onPostgres = ({ address, user, password }, name) => `
      sql:
        pluginName: postgres12
        databaseName: ${name}
        connectAddr: ${JSON.stringify(address)}
        connectProtocol: tcp
        user: ${JSON.stringify(user)}
        password: ${JSON.stringify(password)}
        maxConns: 10
        maxIdleConns: 10`;

const onSqlite = (folder) => `
      sql:
        pluginName: sqlite
        databaseName: ${JSON.stringify(`${folder}/temporal.db`)}
        connectAddr: localhost
        connectProtocol: tcp
        connectAttributes: { cache: private, setup: true, journal_mode: wal, synchronous: 1 }
        maxConns: 1
        maxIdleConns: 1`;

const service = (port, ring) => `
    rpc: { grpcPort: ${port}, membershipPort: ${ring}, bindOnLocalHost: true }`;

/** Settings of a server for one machine: on SQLite, or on the databases `temporal` and `visibility` of a PostgreSQL.
 * @param postgres `{ address, user, password }` */
export function settings(folder, ports, postgres) {
  const store = (name) => (postgres === undefined ? onSqlite(folder) : onPostgres(postgres, name));
  const at = (file) => JSON.stringify(`${folder}/${file}`);
  const server = (name, authority) =>
    `{ certFile: ${at(`${name}.pem`)}, keyFile: ${at(`${name}.key`)}, requireClientAuth: true, clientCaFiles: [${at(authority)}] }`;
  const client = (authority) => `{ serverName: temporal, rootCaFiles: [${at(authority)}] }`;
  return `log: { stdout: true, level: warn }
persistence:
  defaultStore: default
  visibilityStore: visibility
  numHistoryShards: 1
  datastores:
    default:${store('temporal')}
    visibility:${store('visibility')}
global:
  membership: { maxJoinDuration: 30s, broadcastAddress: 127.0.0.1 }
  tls:
    frontend:
      server: ${server('server', 'clients.pem')}
      client: ${client('clients.pem')}
    internode:
      server: ${server('internode', 'internode-ca.pem')}
      client: ${client('internode-ca.pem')}
    systemWorker:
      certFile: ${at('server.pem')}
      keyFile: ${at('server.key')}
      client: ${client('clients.pem')}
services:
  frontend:${service(ports.frontend, ports.frontendRing)}
  history:${service(ports.history, ports.historyRing)}
  matching:${service(ports.matching, ports.matchingRing)}
  worker:${service(ports.worker, ports.workerRing)}
clusterMetadata:
  enableGlobalNamespace: false
  failoverVersionIncrement: 10
  masterClusterName: active
  currentClusterName: active
  clusterInformation:
    active: { enabled: true, initialFailoverVersion: 1, rpcName: frontend, rpcAddress: '127.0.0.1:${ports.frontend}' }
dcRedirectionPolicy: { policy: noop }
dynamicConfigClient: { filepath: ${at('dynamic.yaml')}, pollInterval: 60s }
`;
}
