import { AirdeskError } from '../../../src-preload/contract/index.ts';
import type { BodyDoc } from './endpoint.ts';

/** Deepest nesting of a JSON body, so that readers may recurse. */
const MAX_DEPTH = 64;
const JSON_TYPE = 'application/json';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

/** Reads the body of a request as its endpoint wants it. Raises `unsupported_media_type`, `bad_request`. @param bytes undefined or empty for none */
export function readRequestBody(
  bytes: Uint8Array | undefined,
  contentType: string | undefined,
  { types = [JSON_TYPE], isRequired = true }: BodyDoc,
): unknown {
  if (!bytes || bytes.length === 0) {
    if (isRequired) throw new AirdeskError('bad_request', 'The request has no body', { parameter: 'request_body' });
    return undefined;
  }
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? types[0] ?? JSON_TYPE;
  if (!types.includes(type))
    throw new AirdeskError(
      'unsupported_media_type',
      `The body may be ${types.join(' or ')}, not ${type.slice(0, 100)}`,
    );
  const text = decode(bytes);
  return type === JSON_TYPE || type.endsWith('+json') ? parseJson(text) : text;
}

/** Parses JSON. Raises `bad_request` for what is none, and for what is nested too deep. */
export function parseJson(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH)
    throw new AirdeskError('bad_request', `The body is nested deeper than ${MAX_DEPTH} levels`, {
      parameter: 'request_body',
    });
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const words = cause instanceof Error ? cause.message.slice(0, 200) : 'it cannot be parsed';
    throw new AirdeskError('bad_request', `The body is not JSON: ${words}`, { parameter: 'request_body' });
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AirdeskError('bad_request', 'The body is not UTF-8', { parameter: 'request_body' });
  }
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInText = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Texts are skipped whole, so that brackets in them do not count.
    if (code === QUOTE) isInText = !isInText;
    else if (isInText) index += code === BACKSLASH ? 1 : 0;
    else if (code === BRACKET || code === BRACE) deepest = Math.max(deepest, ++depth);
    else if (code === BRACKET_END || code === BRACE_END) depth--;
  }
  return deepest;
}
