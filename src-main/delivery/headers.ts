import { CLOSED_POLICY } from '../lib/http-semantics.ts';

/** Header lines that let any page play the media (Fetch standard, CORS protocol). */
export const CORS =
  'Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: Content-Length, Content-Range, Date, ETag\r\n';

/** Header lines of the answer to a CORS preflight. */
export const PREFLIGHT =
  `${CORS}Access-Control-Allow-Methods: GET, HEAD, OPTIONS, POST, PUT\r\nAccess-Control-Allow-Headers: *\r\n` +
  'Access-Control-Allow-Private-Network: true\r\nAccess-Control-Max-Age: 86400\r\n';

/** Header lines of errors: browsers must neither guess another media type nor run anything in the answer. */
export const ERROR_HEADERS = `X-Content-Type-Options: nosniff\r\nContent-Security-Policy: ${CLOSED_POLICY}\r\n`;

/** Header line that keeps browsers from guessing another media type. */
export const NOSNIFF = 'X-Content-Type-Options: nosniff\r\n';

/** Cache-Control of content that never changes: init segments, segments and parts. */
export const IMMUTABLE = 'Cache-Control: public, max-age=31536000, immutable\r\n';

/** Cache-Control of content that is requested each time: media of one viewer, and replacements of damaged media. */
export const NOT_STORED = 'Cache-Control: private, no-store\r\n';

/** Media types sent by the media edge. */
export const MEDIA_TYPES = {
  hls: 'application/vnd.apple.mpegurl',
  dash: 'application/dash+xml',
  video: 'video/mp4',
  audio: 'audio/mp4',
  ts: 'video/mp2t',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  jpeg: 'image/jpeg',
  vtt: 'text/vtt; charset=utf-8',
} as const;
