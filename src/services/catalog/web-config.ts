import { wheelIndex, type WheelIndex } from './wheel-index.js';

/** A server on a socket of the home, and the port at which nginx serves it. */
interface Behind {
  readonly name: string;
  readonly port: number;
  readonly socket: string;
  /** Parameters of nginx's access log. */
  readonly log: string;
  /** Password file of nginx: `user:{SHA}hash`. */
  readonly passwords: string;
  /** True: reads need the password too. */
  readonly isClosed: boolean;
}

interface Places {
  readonly folder: string;
  readonly log: string;
  readonly isRoot: boolean;
  readonly maven: Pick<Behind, 'port' | 'passwords'> & { readonly root: string; readonly accessLog: string };
  readonly wheels: WheelIndex;
  readonly behind: readonly Behind[];
}

/** Path at which nginx tells the mark of its start, by which the supervisor knows it. */
export const MARK = '/+slipway';

/** Anyone reads what is published; a write needs the secret, which nginx checks before it takes the body. Staging needs it for
 * reads too. Refuses a second PUT of a file with 409, except maven-metadata, which Maven itself rewrites. A file of a
 * rehearsal that gives way is deleted first; no DELETE takes a folder. */
export const nginxConfig = (
  mark: string,
  { folder, log, isRoot, maven, wheels, behind }: Places,
): string => `daemon off;
${isRoot ? 'user root;' : ''}
pid "${folder}/nginx.pid";
error_log "${log}" warn;
worker_processes 1;
worker_rlimit_nofile 16384;
events { worker_connections 8192; }
http {
  default_type application/octet-stream;
  client_header_timeout 5s;
  map $request_uri $asked { "~^(?<start>.{0,1000})" $start; }
  map $http_user_agent $agent { default "-"; "~^(?<name>.{1,200})" $name; }
  log_format line '$time_iso8601 $request_method $status "$asked" $body_bytes_sent $request_length $request_time "$agent"';
  client_max_body_size 0;
  client_body_temp_path "${folder}/tmp/body";
  proxy_temp_path "${folder}/tmp/proxy";
  fastcgi_temp_path "${folder}/tmp/fastcgi";
  uwsgi_temp_path "${folder}/tmp/uwsgi";
  scgi_temp_path "${folder}/tmp/scgi";
  map $uri $replaceable { default 0; ~maven-metadata\\.xml 1; }
  map $request_method $writes { default slipway; GET off; HEAD off; }
  map $status $refused { default 0; 401 1; }
  server {
    listen 127.0.0.1:${maven.port};
    auth_basic $writes;
    auth_basic_user_file "${maven.passwords}";
    root "${maven.root}";
    access_log "${maven.accessLog}" line;${own(mark)}
    location / {
      autoindex on;
      set $no "$request_method$replaceable";
      if (-f $request_filename) { set $no "\${no}x"; }
      if ($no = "PUT0x") { return 409; }
      set $removes "$request_method$uri";
      if ($removes ~ "(?s)^DELETE.*/$") { return 403; }
      dav_methods PUT DELETE;
      create_full_put_path on;
    }
  }
${behind.map((one) => served(mark, one)).join('')}
${wheelIndex(wheels, own(mark))}
}
`;

const own = (mark: string): string => `
    location = ${MARK} { access_log off; return 200 "${mark}"; }`;

/** devpi checks a login itself: it changes nothing. */
const served = (mark: string, { name, port, socket, log, passwords, isClosed }: Behind): string => `
  upstream ${name} { server "unix:${socket}"; }
  server {
    listen 127.0.0.1:${port};
    access_log ${log};
    proxy_http_version 1.1;
    proxy_request_buffering off;
    proxy_max_temp_file_size 0;
    proxy_read_timeout 900s;
    proxy_set_header Host $http_host;
    proxy_set_header X-Outside-Url http://$http_host;${own(mark)}
    location / {
      auth_basic ${isClosed ? 'slipway' : '$writes'};
      auth_basic_user_file "${passwords}";
      proxy_pass http://${name};
    }
    location = /+login { client_max_body_size 4k; proxy_pass http://${name}/+login; }
  }`;
