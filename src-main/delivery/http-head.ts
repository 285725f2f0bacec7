/** Reason phrases of the statuses that the media edge sends (RFC 9110 section 15). */
const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  206: 'Partial Content',
  302: 'Found',
  304: 'Not Modified',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  416: 'Range Not Satisfiable',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** The first line of a reply, ended by CR LF. */
export function statusLine(status: number): string {
  return `HTTP/1.1 ${status} ${REASONS[status] ?? 'Unknown'}\r\n`;
}

let dateSecond = -1;
let dateText = '';

/** The Date header line for a wall clock in epoch milliseconds; made once a second. */
export function dateLine(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = `Date: ${new Date(nowMs).toUTCString()}\r\n`;
  }
  return dateText;
}

/** The head of a request as one string (latin 1), and where its parts lie in it. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Header lines in lower case are looked up in this text. */
  readonly text: string;
  readonly isHttp11: boolean;
  /** Whether the connection stays open after the reply (RFC 9112 section 9.3). */
  readonly keepsAlive: boolean;
  /** Whether a body follows the head (RFC 9112 section 6). */
  readonly hasBody: boolean;
}

/**
 * Reads a request head without its final blank line.
 *
 * @returns undefined when it is no HTTP/1 request
 */
export function readRequestHead(text: string): RequestHead | undefined {
  const lineEnd = text.indexOf('\r\n');
  const line = lineEnd < 0 ? text : text.slice(0, lineEnd);
  const methodEnd = line.indexOf(' ');
  const targetEnd = line.lastIndexOf(' ');
  if (methodEnd <= 0 || targetEnd <= methodEnd + 1) return undefined;
  const version = line.slice(targetEnd + 1);
  if (version !== 'HTTP/1.1' && version !== 'HTTP/1.0') return undefined;
  const target = originForm(line.slice(methodEnd + 1, targetEnd));
  if (target === undefined) return undefined;
  const question = target.indexOf('?');
  const connection = findHeader(text, 'connection');
  const isHttp11 = version === 'HTTP/1.1';
  return {
    method: line.slice(0, methodEnd),
    path: question < 0 ? target : target.slice(0, question),
    query: question < 0 ? '' : target.slice(question + 1),
    text,
    isHttp11,
    keepsAlive: connection === undefined ? isHttp11 : isHttp11 ? !CLOSE.test(connection) : KEEP_ALIVE.test(connection),
    hasBody: BODY.test(text) && findHeader(text, 'content-length') !== '0',
  };
}

const CLOSE = /(?:^|,)\s*close\s*(?:,|$)/i;
const KEEP_ALIVE = /(?:^|,)\s*keep-alive\s*(?:,|$)/i;
const BODY = /\n(?:content-length|transfer-encoding):/i;

/** The target of a request as path and query: a proxy writes the whole address (RFC 9112 section 3.2.2). */
function originForm(target: string): string | undefined {
  if (target.charCodeAt(0) === 0x2f) return target;
  const path = /^https?:\/\/[^/?#]+(.*)$/i.exec(target)?.[1];
  return path?.startsWith('?') || path === '' ? `/${path}` : path;
}

/** All values of a header that may come several times, joined as one list (RFC 9110 section 5.3). */
export function findHeaderList(text: string, name: string): string | undefined {
  const values: string[] = [];
  const length = name.length;
  for (let from = text.indexOf('\r\n'); from >= 0;) {
    from += 2;
    const end = text.indexOf('\r\n', from);
    if (text.charCodeAt(from + length) === 0x3a && text.slice(from, from + length).toLowerCase() === name)
      values.push(text.slice(from + length + 1, end < 0 ? undefined : end).trim());
    from = end;
  }
  return values.length > 0 ? values.join(', ') : undefined;
}

/** Value of a header in the text of a head; names are compared without case (RFC 9110 section 5.1). */
export function findHeader(text: string, name: string): string | undefined {
  const length = name.length;
  let from = text.indexOf('\r\n');
  while (from >= 0) {
    from += 2;
    const end = text.indexOf('\r\n', from);
    if (text.charCodeAt(from + length) === 0x3a && text.slice(from, from + length).toLowerCase() === name) {
      return text.slice(from + length + 1, end < 0 ? undefined : end).trim();
    }
    from = end;
  }
  return undefined;
}
