/** Supported video codecs, by their common short names (as in `media_info`). */
export type VideoCodec = 'h264' | 'h265';

/** Supported audio codecs. `mp2` and `mp3` are layers II and III of MPEG audio. */
export type AudioCodec = 'aac' | 'mp2' | 'mp3' | 'ac3' | 'eac3' | 'opus';

interface TrackBase {
  /** Track id inside its stream: `v1`, `v2` … for video, `a1`, `a2` … for audio. Also a path segment of its addresses. */
  readonly id: string;
  /**
   * Ticks per second of the output timeline of this track: 90 000 for video, the sample rate for audio. Constant during a run of
   * the stream, also if the sample rate changes.
   */
  readonly timescale: number;
  /** RFC 6381 codec string, for example `avc1.640028` or `mp4a.40.2`. */
  readonly codecString: string;
  /**
   * Decoder configuration as in the sample entry of ISOBMFF, without a box header: the AVC or HEVC decoder configuration record,
   * the AudioSpecificConfig of AAC, the body of `dac3`, `dec3` or `dOps`. Empty for MP2 and MP3.
   */
  readonly decoderConfig: Uint8Array;
  /** ISO 639-2/T language, if the input states one. */
  readonly language?: string;
  /** Packet identifier or number of the track in its input, for messages to the operator. */
  readonly sourceId?: number;
}

/** One elementary video stream. */
export interface VideoTrack extends TrackBase {
  readonly content: 'video';
  readonly codec: VideoCodec;
  /** Width and height of a coded picture (a field of a field sequence) in pixels after cropping. */
  readonly width: number;
  readonly height: number;
  /** Sample aspect ratio of a coded picture; 1:1 if the bitstream states none. */
  readonly sarWidth: number;
  readonly sarHeight: number;
  /** Rotation and scale for display as in `tkhd` (ISO/IEC 14496-12, 8.3.2); absent for the identity. */
  readonly displayMatrix?: readonly number[];
  /** Frames (not fields) per second from the bitstream's timing information; absent if not stated. */
  readonly fps?: number;
  /** Maximum number of pictures decoded before a picture that is shown earlier; absent if the bitstream does not state it. */
  readonly reorderDepth?: number;
  /** Whether frames may be two fields; absent otherwise, or if unknown. */
  readonly isInterlaced?: true;
  /** Whether each access unit is one field (H.265 `field_seq_flag`), so that a frame consists of two units; otherwise absent. */
  readonly isFieldSequence?: true;
  /** Profile and level as named by the standard, for example `High` and `4.0`. */
  readonly profile: string;
  readonly level: string;
}

/** One elementary audio stream. */
export interface AudioTrack extends TrackBase {
  readonly content: 'audio';
  readonly codec: AudioCodec;
  readonly sampleRate: number;
  readonly channels: number;
  /** Samples in one access unit: 1024 for AAC-LC, 1152 for MP2 and MP3, 1536 for AC-3, 960 for 20 ms of Opus. */
  readonly samplesPerFrame: number;
  readonly profile?: string;
}

/** One elementary stream with one codec. Immutable: a change of format is a new track value with the same id. */
export type Track = VideoTrack | AudioTrack;

/**
 * Number of a track in files (`track_ID`, ISO/IEC 14496-12, 8.3.2): odd for video, even for audio. It is derived from the track
 * id alone, so that it is the same in every segment of the stream.
 */
export function trackNumber(id: string): number {
  return Number(id.slice(1)) * 2 - (id.startsWith('v') ? 1 : 0);
}

/**
 * Whether a change of tracks interrupts all tracks: no track continues, a video track changes its format, or an audio track
 * changes while no video continues. Adding or removing a track interrupts no other track, and a change of audio interrupts no
 * video.
 */
export function isInterruption(before: readonly Track[], after: readonly Track[]): boolean {
  const stays = (track: Track): boolean => after.some((next) => isSameFormat(track, next));
  const changes = (track: Track): boolean => !stays(track) && after.some(({ id }) => id === track.id);
  const hasPicture = before.some((track) => track.content === 'video' && stays(track));
  return !before.some(stays) || before.some((track) => changes(track) && (track.content === 'video' || !hasPicture));
}

/** Whether two tracks have the same format, so that no new init segment is needed. Their language may differ. */
export function isSameFormat(a: Track, b: Track): boolean {
  return (
    a.id === b.id &&
    a.codec === b.codec &&
    a.timescale === b.timescale &&
    a.codecString === b.codecString &&
    Buffer.compare(a.decoderConfig, b.decoderConfig) === 0 &&
    String(shapeOf(a)) === String(shapeOf(b))
  );
}

/** Properties of the init segment that are not in the decoder configuration (which is empty for MPEG audio). */
function shapeOf(track: Track): readonly number[] | undefined {
  return track.content === 'video' ? track.displayMatrix : [track.sampleRate, track.channels];
}

/**
 * Adds to a track from its parameter sets what the container states about it. Returns `stated` if it has the same parameter
 * sets, otherwise the track with the rotation and scale of `stated`.
 */
export function withDisplayOf(track: VideoTrack, stated: Track): VideoTrack {
  if (stated.content !== 'video') return track;
  if (Buffer.compare(track.decoderConfig, stated.decoderConfig) === 0) return stated;
  return stated.displayMatrix ? { ...track, displayMatrix: stated.displayMatrix } : track;
}

/** Whether no track was added, removed or changed its format; languages may differ. */
export function areSameFormats(before: readonly Track[], after: readonly Track[]): boolean {
  if (before.length !== after.length) return false;
  return after.every((track) => before.some((source) => isSameFormat(source, track)));
}
