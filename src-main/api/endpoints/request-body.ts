import { AirdeskError, badParameter } from '../../../src-preload/contract/index.ts';
import type { BodyDoc, ByteStream } from './endpoint.ts';
import { parseJsonInSteps } from './parse-json.ts';

const JSON_TYPE = 'application/json';

/**
 * Parses the body of a request as its endpoint declares it, in steps. Raises `unsupported_media_type`, `bad_request`.
 *
 * @param bytes undefined or empty without a body
 */
export function* readRequestBody(
  bytes: Uint8Array | undefined,
  contentType: string | undefined,
  { types = [JSON_TYPE], isRequired = true }: BodyDoc,
): Generator<void, unknown> {
  if (!bytes || bytes.length === 0) {
    if (isRequired) throw badParameter('request_body', 'The request has no body', 'bad_request');
    return undefined;
  }
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? types[0] ?? JSON_TYPE;
  if (!types.includes(type))
    throw new AirdeskError(
      'unsupported_media_type',
      `The body may be ${types.join(' or ')}, not ${type.slice(0, 100)}`,
    );
  const text = yield* decode(bytes);
  return type === JSON_TYPE || type.endsWith('+json') ? yield* parseJsonInSteps(text) : text;
}

/**
 * Reads a complete body. Raises `request_too_large` above the limit, and `bad_request`.
 *
 * @param length announced size; 0 if unknown
 */
export async function readAll(source: ByteStream, length: number, limitBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let got = 0;
  if (length > limitBytes) throw tooLong();
  try {
    for await (const part of source) {
      got += part.length;
      if (got > limitBytes) throw tooLong();
      parts.push(part);
    }
  } catch (cause) {
    throw cause instanceof AirdeskError ? cause : new AirdeskError('bad_request', 'The body is incomplete');
  }
  return Buffer.concat(parts, got);
}

function tooLong(): AirdeskError {
  return new AirdeskError('request_too_large', 'The body is longer than the limit');
}

/** Number of bytes that are decoded in one step. */
const STEP_BYTES = 65_536;

function* decode(bytes: Uint8Array): Generator<void, string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  try {
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      parts.push(decoder.decode(bytes.subarray(at, at + STEP_BYTES), { stream: true }));
      yield;
    }
    parts.push(decoder.decode());
  } catch {
    throw badParameter('request_body', 'The body is not UTF-8', 'bad_request');
  }
  return parts.join('');
}
