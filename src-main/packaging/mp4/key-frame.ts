import { forEachSample } from '../../media/containers/isobmff/chunk-reader.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';

/** A coded picture that can be decoded by itself, and what its decoder needs. Views on the memory of the window. */
export interface WindowKeyFrame {
  readonly codec: 'h264' | 'h265';
  readonly decoderConfig: Uint8Array;
  /** NAL units with four-byte lengths. */
  readonly data: Uint8Array;
  /** Names the picture inside its window. */
  readonly key: string;
}

/** The newest key frame of the first video track of a window; undefined where there is none. */
export function newestKeyFrame(window: SegmentWindow): WindowKeyFrame | undefined {
  const video = window.tracks.find(({ track }) => track.content === 'video');
  if (!video) return undefined;
  for (let s = video.segments.length - 1; s >= 0; s--) {
    const segment = video.segments[s];
    for (let p = (segment?.parts.length ?? 0) - 1; p >= 0; p--) {
      const part = segment?.parts[p];
      if (!segment || !part?.isIndependent) continue;
      const track = window.init(video.track.id, segment.initId)?.track;
      if (track?.content !== 'video') continue;
      const data = firstSample(part.bytes);
      if (data)
        return {
          codec: track.codec,
          decoderConfig: track.decoderConfig,
          data,
          key: `${segment.startMs}.${part.index}`,
        };
    }
  }
  return undefined;
}

function firstSample(bytes: Uint8Array): Uint8Array | undefined {
  let found: Uint8Array | undefined;
  forEachSample(bytes, (start, sizeBytes) => {
    found ??= bytes.subarray(start, start + sizeBytes);
  });
  return found;
}
