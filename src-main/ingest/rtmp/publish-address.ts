/** Address that an encoder wants to publish to. */
export interface PublishAddress {
  /** Application and stream key, `static/cam1`. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
}

const MAX_PATH_CHARS = 512;
const MAX_QUERY_CHARS = 2048;
const MAX_QUERY_FIELDS = 32;

/**
 * Joins the addresses of `connect` and `publish`. Encoders send the query with the application, with `tcUrl` or with the stream
 * key, and either part of the path may be empty. The value nearest to the key wins. Undefined if it is too long.
 */
export function readPublishAddress(app: string, tcUrl: string, key: string): PublishAddress | undefined {
  const [appPath, appQuery] = splitQuery(app);
  const [keyPath, keyQuery] = splitQuery(key);
  const [, urlQuery] = splitQuery(tcUrl);
  const path = `${appPath}/${keyPath}`
    .split('/')
    .filter((part) => part !== '')
    .join('/');
  if (path.length > MAX_PATH_CHARS || app.length + tcUrl.length + key.length > MAX_QUERY_CHARS + 2 * MAX_PATH_CHARS)
    return undefined;
  const query = new Map<string, string>();
  for (const text of [urlQuery, appQuery, keyQuery]) readQuery(text, query);
  return { path, query };
}

function splitQuery(text: string): [string, string] {
  const at = text.indexOf('?');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function readQuery(text: string, query: Map<string, string>): void {
  for (const field of text.split('&')) {
    if (field === '' || query.size >= MAX_QUERY_FIELDS) continue;
    const at = field.indexOf('=');
    const name = decode(at < 0 ? field : field.slice(0, at));
    query.set(name, at < 0 ? '' : decode(field.slice(at + 1)));
  }
}

/** Decodes percent encoding. A plus sign stays: encoders send passwords as they were typed. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
