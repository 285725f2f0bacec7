import { explained } from '../lib/error-message.ts';
import type { Reply } from './exchange.ts';
import { ERROR_HEADERS, CORS } from './headers.ts';

/** HTTP statuses of the errors of the media edge; the codes are in the error catalogue of the contract. */
const STATUS = {
  bad_request: 400,
  not_found: 404,
  method_not_allowed: 405,
  stream_not_found: 404,
  stream_not_running: 404,
  track_not_found: 404,
  segment_gone: 404,
  segment_too_early: 404,
  media_unreadable: 503,
  media_busy: 503,
  archive_empty: 404,
  archive_not_yet: 404,
  archive_too_long: 400,
  format_not_supported: 404,
  vod_file_not_found: 404,
  download_not_allowed: 403,
  vod_file_unreadable: 503,
  vod_file_damaged: 422,
  vod_index_timeout: 422,
  vod_file_not_supported: 415,
  bad_delivery_directive: 400,
  blocking_timeout: 503,
  range_not_satisfiable: 416,
  picture_not_available: 404,
  playback_denied: 403,
  session_banned: 403,
  session_not_found: 404,
  token_required: 403,
  too_many_pending: 429,
  unavailable: 503,
} as const;

/** Error code of the media edge. */
export type MediaErrorCode = keyof typeof STATUS;

/** Error reply for players and for debugging. Cached for at most a second. */
export function errorReply(code: MediaErrorCode, title: string): Reply {
  const status = STATUS[code];
  const body = Buffer.from(errorText(code, status, title));
  const retry = status === 503 || status === 429 ? 'Retry-After: 1\r\n' : '';
  const allow = status === 405 ? 'Allow: GET, HEAD, OPTIONS\r\n' : '';
  const headers = `Content-Type: application/json\r\nCache-Control: max-age=1\r\n${retry}${allow}${ERROR_HEADERS}${CORS}`;
  return { status, headers, body: [body], bodyBytes: body.length };
}

/** Error reply for media that cannot be read. It names the code of the reason only: messages contain paths. */
export function unreadableReply(error: unknown): Reply {
  const { explanation } = explained(error);
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.name) : 'unknown';
  return errorReply('media_unreadable', `The file with this media cannot be read (${explanation?.code ?? code})`);
}

/** Body of an error, the same in all APIs. */
export function errorText(code: string, status: number, title: string): string {
  return JSON.stringify({ errors: [{ code, status: String(status), title }], error: code });
}
