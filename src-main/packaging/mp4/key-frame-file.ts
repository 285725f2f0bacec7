import { chunkHeaderBytes } from '../../media/containers/isobmff/chunk-shape.ts';
import { writeChunkHeader } from '../../media/containers/isobmff/chunk.ts';
import { writeInitSegment } from '../../media/containers/isobmff/init-segment.ts';
import { createSampleTable } from '../../media/containers/isobmff/sample-table.ts';
import { trackNumber, type VideoTrack } from '../../media/track.ts';

/** Display time of the picture, in seconds. */
const SHOWN_SECONDS = 1;

/**
 * MP4 with one coded picture in one fragment (ISO/IEC 14496-12, 8.8), shown for a second.
 * @param picture NAL units with four-byte lengths
 */
export function keyFrameFile(track: VideoTrack, picture: Uint8Array): Uint8Array {
  const samples = createSampleTable(1);
  samples.count = 1;
  samples.sizes[0] = picture.length;
  samples.durations[0] = track.timescale * SHOWN_SECONDS;
  samples.isSync[0] = 1;
  const headBytes = chunkHeaderBytes(1, { content: 'video', hasWall: false });
  const chunk = new Uint8Array(headBytes + picture.length);
  chunk.set(picture, headBytes);
  const from = writeChunkHeader(chunk, headBytes, {
    trackNumber: trackNumber(track.id),
    sequenceNumber: 1,
    baseDecodeTicks: 0,
    samples,
    content: 'video',
  });
  return Buffer.concat([writeInitSegment(track), chunk.subarray(from)]);
}
