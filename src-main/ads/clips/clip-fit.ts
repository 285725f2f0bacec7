import type { Difference } from './clip.ts';
import { inBandSets } from '../../media/codecs/nal/in-band-sets.ts';
import { forEachSample } from '../../media/containers/isobmff/chunk-reader.ts';
import type { AudioTrack, VideoTrack } from '../../media/track.ts';
import type { Segment, SegmentWindow } from '../../segment/segment-window.ts';

/** Compared properties of a track. Some may be missing if only a description of the stream is available. */
type ComparedTrack =
  | (Described<VideoTrack, 'profile' | 'level' | 'width' | 'height' | 'fps'> &
      Pick<VideoTrack, 'content' | 'sarWidth' | 'sarHeight' | 'isInterlaced'>)
  | ComparedAudio;
type ComparedAudio = Described<AudioTrack, 'profile' | 'sampleRate' | 'channels'> & Pick<AudioTrack, 'content'>;
type Described<Full, Field extends keyof Full> = { readonly id: string; readonly codec: string } & {
  readonly [K in Field]?: Full[K] | undefined;
};

/** Properties of a stream that a clip has to match. */
export interface ComparedStream {
  readonly tracks: readonly { readonly track: ComparedTrack }[];
}

/** Compared properties of a clip. */
export type ComparedClip = ComparedStream & Pick<SegmentWindow, 'longestSegmentMs' | 'segments'>;

/** Maximum distance of key frames in a clip, in milliseconds: a second, plus a frame for fractional rates. */
const MAX_GOP_MS = 1050;
/** Number of clip segments whose pictures are checked: an encoder with open GOPs uses them from the start. */
const CHECKED_SEGMENTS = 60;
/** Maximum difference of frame rates that count as equal; 29.97 and 30 do not. */
const FPS_TOLERANCE = 0.015;

/**
 * Differences between a clip and the stream that it is to be inserted into. Players continue with the same decoder
 * only if there are no differences. An audio track of the stream that the clip lacks gets the first audio track of
 * the clip (`inStream`).
 * @param clip a window whose segments start at the first key frame at least a second after the previous cut
 */
export function differences(clip: ComparedClip, stream: ComparedStream): readonly Difference[] {
  const clipTracks = new Map(clip.tracks.map(({ track }) => [track.id, track]));
  const expected = new Map(stream.tracks.map(({ track }) => [track.id, track]));
  const found: Difference[] = [];
  for (const id of new Set([...expected.keys(), ...clipTracks.keys()])) {
    const streamTrack = expected.get(id);
    const clipTrack = clipTracks.get(id) ?? (streamTrack?.content === 'audio' ? firstAudioTrack(clip) : undefined);
    if (clipTrack && streamTrack) found.push(...trackDifferences(clipTrack, streamTrack));
    else found.push({ field: id, clip: clipTrack?.codec ?? null, stream: streamTrack?.codec ?? null });
  }
  if (clip.longestSegmentMs > MAX_GOP_MS)
    found.push({ field: 'gop_ms', clip: Math.round(clip.longestSegmentMs), stream: 1000 });
  const formats = Math.max(1, ...clip.tracks.map(({ track }) => formatsOf(clip, track.id)));
  if (formats > 1) found.push({ field: 'formats', clip: formats, stream: 1 });
  if (hasOpenGops(clip)) found.push({ field: 'gop', clip: 'open', stream: 'closed' });
  return found;
}

const formatCounts = new WeakMap<ComparedClip, Map<string, number>>();

/** Number of init segments that a track needs. Counted once for all viewers. */
function formatsOf(clip: ComparedClip, trackId: string): number {
  const counts = formatCounts.get(clip) ?? new Map<string, number>();
  formatCounts.set(clip, counts);
  const count = counts.get(trackId) ?? new Set(clip.segments(trackId).map(({ segment }) => segment.initId)).size;
  counts.set(trackId, count);
  return count;
}

const openGops = new WeakMap<ComparedClip, boolean>();

/**
 * Reports whether a clip has open GOPs: their first pictures are decoded after the key frame, but shown before it. A range
 * that ends before this key frame lacks these pictures. Checked once for all viewers, from headers only.
 */
function hasOpenGops(clip: ComparedClip): boolean {
  const cached = openGops.get(clip);
  if (cached !== undefined) return cached;
  const picture = clip.tracks.find(({ track }) => track.content === 'video')?.track;
  const isOpen =
    picture !== undefined &&
    clip
      .segments(picture.id)
      .slice(0, CHECKED_SEGMENTS)
      .some(({ segment }) => isOpenGop(segment));
  openGops.set(clip, isOpen);
  return isOpen;
}

function isOpenGop({ parts: [part] }: Segment): boolean {
  const [header] = part?.pieces ?? [];
  if (!header || 'file' in header) return false;
  let [keyTicks, earliestTicks] = [Infinity, Infinity];
  forEachSample(
    header.bytes,
    (_offset, _sizeBytes, _dtsTicks, ptsTicks) => {
      if (keyTicks === Infinity) keyTicks = ptsTicks;
      earliestTicks = Math.min(earliestTicks, ptsTicks);
    },
    0,
    false,
  );
  return earliestTicks < keyTicks;
}

/** First audio track of a clip. Each audio track of the stream that the clip lacks gets its sound. */
export function firstAudioTrack({ tracks }: ComparedStream): ComparedAudio | undefined {
  return tracks.map(({ track }) => track).find((track) => track.content === 'audio');
}

/** Reports whether the first audio track of a clip can be used for a track of a stream. */
export function hasAudioFor(clip: ComparedStream, expected: ComparedTrack): boolean {
  const audio = firstAudioTrack(clip);
  return audio !== undefined && expected.content === 'audio' && trackDifferences(audio, expected).length === 0;
}

/**
 * Differences for clips whose samples use the init segment of the stream. Here the size of the NAL unit length must
 * match too.
 */
export function inBandDifferences(
  clip: Pick<SegmentWindow, 'tracks' | 'longestSegmentMs' | 'segments'>,
  stream: Pick<SegmentWindow, 'tracks'>,
): readonly Difference[] {
  const found = [...differences(clip, stream)];
  for (const { track } of stream.tracks) {
    const clipTrack = clip.tracks.find((other) => other.track.id === track.id)?.track;
    if (track.content !== 'video' || clipTrack?.content !== 'video') continue;
    const [expected, has] = [inBandSets(track)?.lengthSize ?? null, inBandSets(clipTrack)?.lengthSize ?? null];
    if (expected !== has) found.push({ field: `${track.id}.nal_length_size`, clip: has, stream: expected });
  }
  return found;
}

function trackDifferences(clip: ComparedTrack, stream: ComparedTrack): Difference[] {
  const fields =
    clip.content === 'video' && stream.content === 'video'
      ? pairs(pictureFields(clip), pictureFields(stream))
      : clip.content === 'audio' && stream.content === 'audio'
        ? pairs(audioFields(clip), audioFields(stream))
        : [{ field: 'content', clip: clip.content, stream: stream.content }];
  return fields.filter(isOther).map((one) => ({ ...one, field: `${stream.id}.${one.field}` }));
}

type Fields = Readonly<Record<string, string | number | undefined>>;

function pictureFields({
  codec,
  profile,
  level,
  width,
  height,
  sarWidth,
  sarHeight,
  fps,
  isInterlaced,
}: ComparedTrack & { readonly content: 'video' }): Fields {
  return {
    codec,
    profile,
    level,
    width,
    height,
    sar: `${sarWidth}:${sarHeight}`,
    fps,
    scan: isInterlaced ? 'interlaced' : 'progressive',
  };
}

function audioFields({ codec, profile, sampleRate, channels }: ComparedTrack & { readonly content: 'audio' }): Fields {
  return { codec, profile, sample_rate: sampleRate, channels };
}

function pairs(clip: Fields, stream: Fields): Difference[] {
  return Object.keys(stream).map((field) => ({
    field,
    clip: clip[field] ?? null,
    stream: stream[field] ?? null,
  }));
}

function isOther({ field, clip, stream }: Difference): boolean {
  if (clip === stream) return false;
  // A stream or a file without a known rate or profile matches any.
  if (field === 'fps' || field === 'profile') {
    if (clip === null || stream === null) return false;
    if (field === 'fps') return Math.abs(Number(clip) - Number(stream)) > FPS_TOLERANCE;
  }
  return true;
}
