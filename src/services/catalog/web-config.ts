import type { ServiceSecret } from '../../model/service-login.js';
import { wheelIndex, type WheelIndex } from './wheel-index.js';

/** A server on a socket, and the port at which nginx serves it. */
interface Behind {
  readonly port: number;
  readonly socket: string;
}

interface Places {
  readonly folder: string;
  readonly log: string;
  readonly isRoot: boolean;
  readonly maven: { readonly port: number; readonly root: string; readonly accessLog: string };
  readonly wheels: WheelIndex;
  readonly index: Behind & { readonly accessLog: string };
  readonly registry: Behind;
  readonly staging: Behind;
  /** Password files of nginx: `user:{SHA}hash`. */
  readonly passwords: Readonly<Record<ServiceSecret, string>>;
  /** Log file with one line for each refused request to a registry. */
  readonly refusals: string;
}

/** Anyone reads what is published; a write needs the secret, which nginx checks before it takes the body. Staging needs it for
 * reads too. Refuses a second PUT of a file with 409, except maven-metadata, which Maven itself rewrites. */
export const nginxConfig = ({ folder, log, isRoot, maven, wheels, ...behind }: Places): string => `daemon off;
${isRoot ? 'user root;' : ''}
pid "${folder}/nginx.pid";
error_log "${log}" warn;
worker_processes 1;
events { worker_connections 1024; }
http {
  default_type application/octet-stream;
  log_format line '$time_iso8601 $request_method $status "$request_uri" $body_bytes_sent $request_length $request_time "$http_user_agent"';
  client_max_body_size 0;
  client_body_temp_path "${folder}/tmp/body";
  proxy_temp_path "${folder}/tmp/proxy";
  fastcgi_temp_path "${folder}/tmp/fastcgi";
  uwsgi_temp_path "${folder}/tmp/uwsgi";
  scgi_temp_path "${folder}/tmp/scgi";
  map $uri $replaceable { default 0; ~maven-metadata\\.xml 1; }
  map $request_method $writes { default slipway; GET off; HEAD off; }
  map $status $unproved { default 0; 401 1; }
  server {
    listen 127.0.0.1:${maven.port};
    auth_basic $writes;
    auth_basic_user_file "${behind.passwords.publish}";
    root "${maven.root}";
    access_log "${maven.accessLog}" line;
    location / {
      autoindex on;
      set $no "$request_method$replaceable";
      if (-f $request_filename) { set $no "\${no}x"; }
      if ($no = "PUT0x") { return 409; }
      dav_methods PUT;
      create_full_put_path on;
    }
  }
${index(behind.index, behind.passwords.publish)}
${registry('registry', behind.registry, behind, '$writes')}
${registry('staging', behind.staging, behind, 'slipway')}
${wheelIndex(wheels)}
}
`;

/** A login changes nothing, and its answer is checked by devpi. */
const index = ({ port, socket, accessLog }: Places['index'], passwords: string): string => `
  upstream devpi { server "unix:${socket}"; }
  server {
    listen 127.0.0.1:${port};
    access_log "${accessLog}" line;
    proxy_http_version 1.1;
    proxy_read_timeout 300s;
    proxy_set_header Host $http_host;
    proxy_set_header X-Outside-Url http://$http_host;
    location / {
      auth_basic $writes;
      auth_basic_user_file "${passwords}";
      proxy_pass http://devpi;
    }
    location = /+login { client_max_body_size 4k; proxy_pass http://devpi; }
  }`;

/** @param realm variable or word of nginx; `off` needs no secret */
const registry = (
  name: 'registry' | 'staging',
  { port, socket }: Behind,
  { passwords, refusals }: Pick<Places, 'passwords' | 'refusals'>,
  realm: string,
): string => `
  upstream ${name} { server "unix:${socket}"; }
  server {
    listen 127.0.0.1:${port};
    access_log "${refusals}" line if=$unproved;
    location / {
      auth_basic ${realm};
      auth_basic_user_file "${passwords[name === 'staging' ? name : 'publish']}";
      proxy_pass http://${name};
      proxy_http_version 1.1;
      proxy_request_buffering off;
      proxy_max_temp_file_size 0;
      proxy_read_timeout 900s;
      proxy_set_header Host $http_host;
      proxy_set_header Authorization "";
    }
  }`;
