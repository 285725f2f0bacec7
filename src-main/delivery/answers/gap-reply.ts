import { gapFragment } from '../../packaging/mp4/gap-fragment.ts';
import { isLost } from '../../segment/media-bytes.ts';
import type { Segment } from '../../segment/segment-window.ts';
import type { Reply } from '../exchange.ts';
import { CORS, MEDIA_TYPES, NOT_STORED } from '../headers.ts';

/** Segment that a reply is for. */
export type SentSegment = Pick<Segment, 'trackId' | 'startTicks' | 'parts'>;

/**
 * Reply without samples that replaces a damaged or missing segment of a recording; undefined for other segments, and for errors
 * that may be temporary. It is not cached, because the media may become readable.
 */
export function gapReply(segment: SentSegment | undefined, error: unknown): Reply | undefined {
  if (!segment?.parts.some(({ check }) => check) || !isLost(error)) return undefined;
  const bytes = gapFragment(segment);
  const type = MEDIA_TYPES[segment.trackId.startsWith('v') ? 'video' : 'audio'];
  return {
    status: 200,
    headers: `Content-Type: ${type}\r\n${NOT_STORED}${CORS}`,
    body: [bytes],
    bodyBytes: bytes.length,
  };
}
