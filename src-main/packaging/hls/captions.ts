import { newestKeyFrame } from '../mp4/key-frame.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';

/** `user_identifier` of ATSC user data (ATSC A/53 part 4, 6.2.3), which carries CEA-608 and CEA-708 captions in an SEI message. */
const ATSC_USER_DATA = 'GA94';
/** The messages stand before the first slice of a picture. */
const SEARCHED_BYTES = 4096;

/** Whether the pictures of a window carry closed captions, by the newest key frame: where there are captions, every picture carries them. */
export function hasCaptions(window: SegmentWindow): boolean {
  const data = newestKeyFrame(window)?.data;
  if (!data) return false;
  return Buffer.from(data.buffer, data.byteOffset, Math.min(data.length, SEARCHED_BYTES)).includes(
    ATSC_USER_DATA,
    0,
    'latin1',
  );
}
