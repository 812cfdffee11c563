export interface WheelIndex {
  readonly port: number;
  /** Folder of static indexes, one below it for each platform. */
  readonly root: string;
  readonly accessLog: string;
}

const JSON_TYPE = 'application/vnd.pypi.simple.v1+json';

/** nginx configuration: serves static indexes. A client that accepts the JSON format gets index.json, any other
 * index.html. `last` runs the rewritten path through the locations again, which gives the content type: pip passes over
 * a page of another type.
 * @param more locations of the server */
export const wheelIndex = ({ port, root, accessLog }: WheelIndex, more = ''): string => `
  map $http_accept $simple_format { default html; "~application/vnd\\.pypi\\.simple\\.(v1|latest)\\+json" json; }
  server {
    listen 127.0.0.1:${port};
    root "${root}";
    access_log "${accessLog}" line;${more}
    location / { autoindex on; }
    location ~ /\\. { return 404; }
    location ~ ^/[^/]+/simple/([^/]+/)?$ { rewrite ^ \${uri}index.$simple_format last; }
    location ~ /simple/.*index\\.json$ {
      types { }
      default_type ${JSON_TYPE};
      add_header Vary Accept always;
      add_header Cache-Control no-cache;
    }
    location ~ /simple/.*index\\.html$ {
      types { }
      default_type "text/html; charset=utf-8";
      add_header Vary Accept always;
      add_header Cache-Control no-cache;
    }
    location ~ /simple/status\\.json$ { types { } default_type application/json; add_header Cache-Control no-cache; }
    location ~ /simple/status\\.html$ {
      types { }
      default_type "text/html; charset=utf-8";
      add_header Cache-Control no-cache;
    }
  }`;
