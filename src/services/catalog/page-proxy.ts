interface PageProxy {
  readonly port: number;
  /** Port of the page's own server. */
  readonly upstream: number;
  /** Socket of the codec server. */
  readonly codec: string;
  /** Log file with one line for each refused request. */
  readonly refusals: string;
  /** Key of the link that `slipway up` prints. */
  readonly key: string;
  /** Value of the cookie that the link sets. It differs from the key, so that a stolen cookie yields no link, and is
   * new with each start of the server. */
  readonly cookie: string;
}

const NO_COOKIE = 'Type `slipway up`: it prints the link that opens this page.';

/** A reset run lacks its audit and its approvals. Only the body of a bulk action says whether it resets. */
const NO_RESET =
  'Type `slipway retry --from STEP`, or `slipway cancel` and `slipway run`, for each run: a reset run loses its audit and its approvals, and a bulk action may reset.';

/** Path of the page's address at which the codec server answers. */
export const CODEC_PATH = '/+codec';
export const codecAuthorization = (key: string): string => `Bearer ${key}`;

/** nginx configuration: serves Temporal's web page to browsers with the cookie, which the link with the key sets. The
 * cookie's name has the port, because a browser sends it to all ports of a host. A browser sends the looked-up name
 * as Host, the requesting page as Origin, and their relation as Sec-Fetch-Site. It follows a link of another site
 * without a strict cookie: `Refresh` repeats such a request as one of the page itself. The page has one name: a cookie
 * of `localhost` would be another one. The page asks for the details of a run by an address that contains them: 4,000
 * bytes, each of which may take three. `$uri` is decoded, without empty and dotted parts: a workflow whose own name ends with
 * `/reset` has that slash encoded. */
export const pageProxy = ({ port, upstream, codec, refusals, key, cookie }: PageProxy): string => `
  map_hash_bucket_size 256;
  map $http_host $host_known { default 0; "127.0.0.1:${port}" 1; "localhost:${port}" 1; }
  map $http_origin $origin_known { default 0; "" 1; "http://127.0.0.1:${port}" 1; }
  map "$http_sec_fetch_site:$request_method:$http_sec_fetch_mode" $site_known {
    default 0;
    "~^(same-origin|none)?:" 1;
    "~^(cross-site|same-site):GET:navigate$" 1;
  }
  map "$host_known$origin_known$site_known" $refused { default 1; "111" 0; }
  map $request_uri $names_reset { default 0; "~*^[^?]*%2freset(\\?|$)" 1; }
  map "$request_method:$names_reset:$uri" $refused_reset {
    default 0;
    "~*(?s)^POST:0:.*/workflows/.+/reset/*$" 1;
    "~*(?s)^POST:.:.*/batch-operations(/[^/]+)?/*$" 1;
  }
  map $http_sec_fetch_site $refresh { default ""; "cross-site" 0; "same-site" 0; }
  map $cookie_slipway_${port} $opened { default 0; "${cookie}" 1; }
  map $http_authorization $authorized { default $opened; "${codecAuthorization(key)}" 1; }
  map $status $refusal { default 0; 401 1; 403 1; }
  log_format refusal '$time_iso8601 $request_method $status "$uri" host="$http_host" origin="$http_origin" site="$http_sec_fetch_site"';
  upstream codec { server "unix:${codec}"; }
  server {
    listen 127.0.0.1:${port};
    access_log "${refusals}" refusal if=$refusal;
    large_client_header_buffers 4 32k;
    default_type text/plain;
    if ($refused) { return 403; }
    if ($refused_reset) { return 403 "${NO_RESET}\\n"; }
    if ($http_host = "localhost:${port}") { return 307 http://127.0.0.1:${port}$request_uri; }
    location / {
      if ($arg_key = "${key}") {
        add_header Set-Cookie "slipway_${port}=${cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000";
        return 302 http://$http_host/;
      }
      if ($opened = 0) {
        add_header Refresh $refresh always;
        return 401 "${NO_COOKIE}\n";
      }
      proxy_pass http://127.0.0.1:${upstream};
      proxy_http_version 1.1;
      proxy_read_timeout 300s;
      proxy_set_header Host $http_host;
      proxy_set_header Accept-Encoding "";
      sub_filter_types application/json;
      sub_filter '"WorkflowResetDisabled":false' '"WorkflowResetDisabled":true';
      sub_filter '"BatchActionsDisabled":false' '"BatchActionsDisabled":true';
    }
    location ${CODEC_PATH}/ {
      if ($authorized = 0) { return 401 "${NO_COOKIE}\n"; }
      proxy_pass http://codec/;
      proxy_set_header Origin "";
    }
  }`;
