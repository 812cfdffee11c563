import { wheelIndex, type WheelIndex } from './wheel-index.js';

interface Places {
  readonly folder: string;
  readonly log: string;
  readonly isRoot: boolean;
  readonly maven: { readonly port: number; readonly root: string; readonly accessLog: string };
  readonly wheels: WheelIndex;
  readonly index: { readonly port: number; readonly devpiPort: number; readonly accessLog: string };
}

/** Refuses a second PUT of a file with 409, except maven-metadata, which Maven itself rewrites. */
export const nginxConfig = ({ folder, log, isRoot, maven, wheels, index }: Places): string => `daemon off;
${isRoot ? 'user root;' : ''}
pid "${folder}/nginx.pid";
error_log "${log}" warn;
worker_processes 1;
events { worker_connections 512; }
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
  server {
    listen 127.0.0.1:${maven.port};
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
  server {
    listen 127.0.0.1:${index.port};
    access_log "${index.accessLog}" line;
    location / {
      proxy_pass http://127.0.0.1:${index.devpiPort};
      proxy_http_version 1.1;
      proxy_read_timeout 300s;
      proxy_set_header Host $http_host;
      proxy_set_header X-Outside-Url http://$http_host;
    }
  }
${wheelIndex(wheels)}
}
`;
