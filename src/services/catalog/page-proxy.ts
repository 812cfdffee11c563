import { randomInt } from 'node:crypto';

/** Returns a loopback address for Temporal's page server. That server accepts any `Host:`, so a page of another site
 * could make its browser query it. On Linux there are 16 million addresses, which such a page cannot guess; other
 * systems have one. */
export const drawPageHost = (): string =>
  process.platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : '127.0.0.1';

export interface PageProxy {
  readonly port: number;
  readonly upstream: string;
  /** Log file with one line for each refused request. */
  readonly refusals: string;
}

/** nginx configuration: allows Temporal's web page to pages and programs of this machine only. A browser sends the
 * looked-up name as Host, the requesting page as Origin, and their relation as Sec-Fetch-Site. Links from other
 * sites work. */
export const pageProxy = ({ port, upstream, refusals }: PageProxy): string => `
  map $http_host $host_known { default 0; "127.0.0.1:${port}" 1; "localhost:${port}" 1; }
  map $http_origin $origin_known { default 0; "" 1; "http://127.0.0.1:${port}" 1; "http://localhost:${port}" 1; }
  map "$http_sec_fetch_site:$request_method:$http_sec_fetch_mode" $site_known {
    default 0;
    "~^(same-origin|none)?:" 1;
    "~^(cross-site|same-site):GET:navigate$" 1;
  }
  map "$host_known$origin_known$site_known" $refused { default 1; "111" 0; }
  log_format refusal '$time_iso8601 $request_method $status "$request_uri" host="$http_host" origin="$http_origin" site="$http_sec_fetch_site"';
  server {
    listen 127.0.0.1:${port};
    access_log "${refusals}" refusal if=$refused;
    location / {
      if ($refused) { return 403; }
      proxy_pass http://${upstream};
      proxy_http_version 1.1;
      proxy_read_timeout 300s;
      proxy_set_header Host $http_host;
    }
  }`;
