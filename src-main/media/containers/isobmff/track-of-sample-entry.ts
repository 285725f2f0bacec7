import { trackFromAudioSpecificConfig } from '../../codecs/aac/track.ts';
import { trackFromDac3, trackFromDec3 } from '../../codecs/ac3/track.ts';
import { trackFromAvcC } from '../../codecs/h264/track.ts';
import { trackFromHvcC } from '../../codecs/h265/track.ts';
import { trackFromDOps } from '../../codecs/opus/track.ts';
import { trackIdentity } from '../../codecs/track-options.ts';
import type { TrackOptions } from '../../codecs/track-options.ts';
import { greatestDivisor } from '../../display.ts';
import type { AudioTrack, Track, VideoTrack } from '../../track.ts';
import { ObjectType } from './es-descriptor.ts';
import type { AudioSampleEntry, SampleEntry } from './sample-entry.ts';

/** Track of a sample entry; undefined if its configuration is damaged or unsupported. */
export function trackOfSampleEntry(entry: SampleEntry, options: TrackOptions): Track | undefined {
  if (entry.content === 'audio') return audioTrack(entry, options);
  const isH264 = entry.type === 'avc1' || entry.type === 'avc3';
  const track = isH264
    ? withEntrySize(trackFromAvcC(entry.config, options), entry)
    : trackFromHvcC(entry.config, options);
  // The aspect ratio of the entry overrides that of the parameter sets (ISO/IEC 14496-12, 12.1.4.1).
  const { sarWidth, sarHeight } = entry;
  // For a sequence of fields, muxers write the aspect ratio of frames, so that the entry is ignored.
  if (!track || track.isFieldSequence || sarWidth === 0 || sarHeight === 0) return track;
  const divisor = greatestDivisor(sarWidth, sarHeight);
  return { ...track, sarWidth: sarWidth / divisor, sarHeight: sarHeight / divisor };
}

/**
 * Cameras write 1088 lines without cropping and state 1080 only in the sample entry. As in FFmpeg, the size of the entry is
 * used for pictures without cropping if the difference is less than a macroblock.
 */
function withEntrySize(
  track: VideoTrack | undefined,
  { width, height }: Extract<SampleEntry, { readonly content: 'video' }>,
): VideoTrack | undefined {
  if (!track || width === 0 || height === 0) return track;
  const isCropped = track.width % MACROBLOCK !== 0 || track.height % MACROBLOCK !== 0;
  const isNear =
    Math.ceil(width / MACROBLOCK) * MACROBLOCK === track.width &&
    Math.ceil(height / MACROBLOCK) * MACROBLOCK === track.height;
  return isNear && !isCropped ? { ...track, width, height } : track;
}

/** Side of an H.264 macroblock in pixels. */
const MACROBLOCK = 16;

function audioTrack(entry: AudioSampleEntry, options: TrackOptions): AudioTrack | undefined {
  switch (entry.type) {
    case 'mp4a':
      return isMpegAudio(entry.objectType)
        ? mpegAudioTrack(entry, options)
        : trackFromAudioSpecificConfig(entry.config, options);
    case '.mp3':
      return mpegAudioTrack(entry, options);
    case 'ac-3':
      return trackFromDac3(entry.config, options);
    case 'ec-3':
      return trackFromDec3(entry.config, options, entry.sampleRate);
    case 'Opus':
      return trackFromDOps(entry.config, options);
  }
}

function isMpegAudio(objectType: number): boolean {
  return objectType === ObjectType.mpeg1Audio || objectType === ObjectType.mpeg2Audio;
}

/** Assumes layer III: the layer is stated only in the frames. */
function mpegAudioTrack(entry: AudioSampleEntry, options: TrackOptions): AudioTrack | undefined {
  const { sampleRate, channels, config } = entry;
  if (sampleRate === 0 || channels === 0) return undefined;
  return {
    ...trackIdentity(options),
    content: 'audio',
    codec: 'mp3',
    timescale: sampleRate,
    codecString: 'mp4a.40.34',
    decoderConfig: config,
    sampleRate,
    channels,
    samplesPerFrame: sampleRate < MIN_MPEG1_SAMPLE_RATE ? 576 : 1152,
  };
}

/** Lowest sample rate of MPEG-1 audio, in Hz; lower rates are those of MPEG-2 audio. */
export const MIN_MPEG1_SAMPLE_RATE = 32_000;
