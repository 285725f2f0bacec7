import { originForm, acceptsGzip } from '../lib/http-semantics.ts';
import { STATUS_CODES } from '../lib/node-http.ts';

/** First line of a reply, ended by CR LF. */
export function statusLine(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`;
}

let dateSecond = -1;
let dateText = '';

/** Date header line of a time in epoch milliseconds; formatted once per second. */
export function dateLine(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = `Date: ${new Date(nowMs).toUTCString()}\r\n`;
  }
  return dateText;
}

/** Head of a request. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly isHttp11: boolean;
  readonly fields: HeaderFields;
}

/** Header lines of a request, with parsed values. */
export class HeaderFields {
  /** Lines as received, each with the line end before it. */
  readonly text: string;
  /** True if the connection stays open after the reply (RFC 9112 section 9.3). */
  readonly keepsAlive: boolean;
  /** True if a body follows the head (RFC 9112 section 6). */
  readonly hasBody: boolean;
  /** Values that answers need most often, found while the lines are parsed. */
  readonly ifNoneMatch: string | undefined;
  readonly range: string | undefined;
  #acceptsGzip: boolean | undefined;

  constructor(text: string, { keepsAlive, hasBody, ifNoneMatch, range }: HeadFields) {
    this.text = text;
    this.keepsAlive = keepsAlive;
    this.hasBody = hasBody;
    this.ifNoneMatch = ifNoneMatch;
    this.range = range;
  }

  /** True if an answer may be compressed. */
  get acceptsGzip(): boolean {
    return (this.#acceptsGzip ??= acceptsGzip(findHeader(this.text, 'accept-encoding')));
  }
}

/** Request line (RFC 9112 section 3). */
const LINE = /^([\w!#$%&'*+.^`|~-]+) ([^\0-\x20\x7f]+) HTTP\/1\.([01])$/;
/**
 * Header lines (RFC 9112), with the line end before each. A space before a colon, a folded line, a bare CR or LF and
 * control characters do not match. No two alternatives of the pattern start with the same character, so matching
 * takes linear time.
 */
const FIELDS = /^(?:\r\n[\w!#$%&'*+.^`|~-]+:[^\0-\x08\x0a-\x1f\x7f]*)*$/;
/** Host and port (RFC 3986 section 3.2.2), without user and path. */
const HOST = /^[\w\-.~%!$&'()*+;=:[\]]*$/;
const CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;
const KEEP_ALIVE = /(?:^|,)[ \t]*keep-alive[ \t]*(?:,|$)/i;

/** Maximum size of a head whose header lines a connection reuses, in characters. */
const MAX_REUSED_CHARACTERS = 2048;

const HEAD_END = '\r\n\r\n';
const GET = 'GET ';
const HTTP_11 = ' HTTP/1.1';

/** Values of header lines about the message and its connection. */
type HeadFields = Pick<HeaderFields, 'keepsAlive' | 'hasBody' | 'ifNoneMatch' | 'range'>;

/**
 * Reads the request heads of one connection, as strictly as RFC 9112 requires: an ambiguous head is refused. A player
 * sends the same header lines with each request, so the last parsed lines are reused.
 */
export class HeadReader {
  #isHttp11 = false;
  #fields: HeaderFields | undefined;
  /** Last parsed header lines, with the blank line. */
  #tail = '';

  /**
   * Reads bytes of exactly one GET request with the same header lines as the previous one, the usual request of
   * players.
   * @returns undefined for all others, which `read` handles
   */
  readAgain(bytes: Buffer): RequestHead | undefined {
    const tail = this.#tail;
    if (!this.#fields || !this.#isHttp11 || bytes.length > MAX_REUSED_CHARACTERS) return undefined;
    const text = bytes.toString('latin1');
    const lineEnd = text.length - tail.length;
    const end = lineEnd - HTTP_11.length;
    if (end <= GET.length || text.slice(lineEnd) !== tail) return undefined;
    if (text.slice(0, GET.length) !== GET || text.slice(end, lineEnd) !== HTTP_11) return undefined;
    if (text.charCodeAt(GET.length) !== 0x2f) return undefined;
    let question = end;
    for (let at = GET.length; at < end; at++) {
      const code = text.charCodeAt(at);
      // Excludes the end of a head and all other characters that a target cannot contain.
      if (code <= 0x20 || code === 0x7f) return undefined;
      if (code === 0x3f && question === end) question = at;
    }
    return {
      method: 'GET',
      path: text.slice(GET.length, question),
      query: question === end ? '' : text.slice(question + 1, end),
      isHttp11: true,
      fields: this.#fields,
    };
  }

  /**
   * Parses a request head without its final blank line.
   * @returns undefined if it is not a valid request of HTTP/1.0 or HTTP/1.1
   */
  read(text: string): RequestHead | undefined {
    const end = text.indexOf('\r\n');
    const line = LINE.exec(end < 0 ? text : text.slice(0, end));
    if (!line) return undefined;
    const [, method = '', requestTarget = '', minor] = line;
    const target = originForm(requestTarget);
    const isHttp11 = minor === '1';
    const fields = this.#fieldsOf(end < 0 ? '' : text.slice(end), isHttp11, text.length > MAX_REUSED_CHARACTERS);
    if (target === undefined || !fields) return undefined;
    const question = target.indexOf('?');
    return {
      method,
      path: question < 0 ? target : target.slice(0, question),
      query: question < 0 ? '' : target.slice(question + 1),
      isHttp11,
      fields,
    };
  }

  #fieldsOf(text: string, isHttp11: boolean, isLong: boolean): HeaderFields | undefined {
    if (this.#fields && isHttp11 === this.#isHttp11 && text === this.#fields.text) return this.#fields;
    const fields = FIELDS.test(text) ? readFields(text, isHttp11) : undefined;
    if (!fields) return undefined;
    if (isLong) return new HeaderFields(text, fields);
    this.#tail = text + HEAD_END;
    // A substring would keep the complete head in memory.
    this.#fields = new HeaderFields(this.#tail.slice(0, text.length), fields);
    this.#isHttp11 = isHttp11;
    return this.#fields;
  }
}

/** Values of header lines; undefined if they are contradictory (RFC 9112 sections 3.2 and 6.3). */
function readFields(text: string, isHttp11: boolean): HeadFields | undefined {
  let host: string | undefined;
  let length: string | undefined;
  let coding: string | undefined;
  let connection: string | undefined;
  let ifNoneMatch: string | undefined;
  let range: string | undefined;
  for (let from = text.indexOf('\r\n'); from >= 0;) {
    from += 2;
    const end = text.indexOf('\r\n', from);
    const colon = text.indexOf(':', from);
    const value = (): string => text.slice(colon + 1, end < 0 ? undefined : end).trim();
    // Nearly all other names have other lengths than these names.
    switch (colon - from) {
      case 4:
        if (!isNamed(text, from, 'host')) break;
        if (host !== undefined) return undefined;
        host = value();
        break;
      case 5:
        if (isNamed(text, from, 'range')) range ??= value();
        break;
      case 13:
        if (isNamed(text, from, 'if-none-match')) ifNoneMatch ??= value();
        break;
      case 10:
        if (isNamed(text, from, 'connection'))
          connection = connection === undefined ? value() : `${connection},${value()}`;
        break;
      case 14:
        if (!isNamed(text, from, 'content-length')) break;
        if (length !== undefined) return undefined;
        length = value();
        break;
      case 17:
        if (!isNamed(text, from, 'transfer-encoding')) break;
        if (coding !== undefined) return undefined;
        coding = value();
    }
    from = end;
  }
  if (host === undefined ? isHttp11 : !HOST.test(host)) return undefined;
  if (length !== undefined && (coding !== undefined || !/^\d{1,15}$/.test(length))) return undefined;
  // A proxy of HTTP/1.0 would take a chunked body for the next request.
  if (coding !== undefined && (!isHttp11 || coding.toLowerCase() !== 'chunked')) return undefined;
  return {
    keepsAlive: connection === undefined ? isHttp11 : isHttp11 ? !CLOSE.test(connection) : KEEP_ALIVE.test(connection),
    hasBody: coding !== undefined || (length !== undefined && !/^0+$/.test(length)),
    ifNoneMatch,
    range,
  };
}

function isNamed(text: string, from: number, name: string): boolean {
  return text.slice(from, from + name.length).toLowerCase() === name;
}

/** All values of a header that may be repeated, joined as one list (RFC 9110 section 5.3). */
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

/** Value of a header in the text of a head; names are case-insensitive (RFC 9110 section 5.1). */
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
