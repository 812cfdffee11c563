import { randomInt } from 'node:crypto';

/** Address of Temporal's web page behind our proxy. The page's own server answers any `Host:`, so that a page of another site can have
 * its browser ask it. Among the 16 million loopback addresses of Linux no such page finds it; other systems have one. */
export const drawPageHost = (): string =>
  process.platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : '127.0.0.1';

export interface PageDoor {
  /** The public port of the web page. */
  readonly port: number;
  /** Address of the page's own server. */
  readonly upstream: string;
  /** One line for each request that was refused. */
  readonly refusals: string;
}

/** Part of nginx's configuration: Temporal's web page, for the pages and programs of this machine alone. A browser sends the name that it
 * looked up as Host, the page that asks as Origin, and their relation as Sec-Fetch-Site. Links to it from elsewhere work. */
export const pageDoor = ({ port, upstream, refusals }: PageDoor): string => `
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
