import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { ClipFilter } from '../../src-preload/contract/api/file-processor-object.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { TrackInfo } from '../../src-preload/contract/api/media-info.ts';
import type { ComparedStream } from '../ads/clips/clip-fit.ts';
import type { ClipPicture, ClipSound } from '../codec/clip/clip-target.ts';

/** Format of a clip, and the stream that it comes from. */
export interface TargetFormat {
  readonly picture: ClipPicture;
  /** Null for a stream without sound. */
  readonly sound: ClipSound | null;
  readonly stream: ComparedStream;
}

type MediaInfoFilter = (ClipFilter & { readonly group: 'transcoder' })['transcoder'];

/**
 * Maximum difference at which a rate counts as a whole number, or as a whole number divided by 1.001; frames per
 * second.
 */
const FPS_TOLERANCE = 0.01;
const LONGEST_SIDE = 4096;
const MIN_SIDE = 16;
const MAX_FPS = 120;
const MAX_KBPS = 100_000;
const DEFAULT_FPS = 25;
const PROFILES: Readonly<Record<'h264' | 'h265', Readonly<Record<string, ClipPicture['profile']>>>> = {
  h264: { 'constrained baseline': 'baseline', baseline: 'baseline', main: 'main', high: 'high' },
  h265: { main: 'main', 'main 10': 'main10' },
};
const RATES = new Set([8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000]);

/** Format that a clip needs for a stream. Throws `clip_target_not_supported` if no such clip can be made. */
export function targetFormat(info: MediaInfoFilter, pointer: string): TargetFormat {
  const refuse = (why: Explained): AirdeskError => new AirdeskError('clip_target_not_supported', why, { pointer });
  const tracks = info.tracks ?? info.streams ?? [];
  const videos = tracks.filter(({ content }) => content === 'video');
  const audios = tracks.filter(({ content }) => content === 'audio');
  const [video] = videos;
  if (!video) throw refuse(because('target_without_video'));
  if (videos.length > 1) throw refuse(because('target_videos'));
  const stream = { tracks: tracks.map((track) => ({ track: streamTrack(track) })) };
  // The clip's sound serves all audio tracks of the stream, so they have to be alike.
  const [sound = null, ...others] = audios.map((audio) => soundOf(audio, refuse));
  const isOther = ({ sampleRate, channels }: ClipSound): boolean =>
    sampleRate !== sound?.sampleRate || channels !== sound.channels;
  if (others.some(isOther)) throw refuse(because('target_audios'));
  return { picture: pictureOf(video, refuse), sound, stream };
}

function pictureOf(track: TrackInfo, refuse: (why: Explained) => AirdeskError): ClipPicture {
  const { codec, width = 0, height = 0, profile = '', level = '', sar_width = 1, sar_height = 1, fps } = track;
  if (codec !== 'h264' && codec !== 'h265') throw refuse(because('target_video_codec', { codec }));
  const sides = [width, height];
  if (sides.some((side) => side < MIN_SIDE || side > LONGEST_SIDE || side % 2 === 1))
    throw refuse(because('target_size', { width, height, min: MIN_SIDE, max: LONGEST_SIDE }));
  const profiles = PROFILES[codec];
  const values = profiles[profile.toLowerCase()];
  if (!values) {
    const possible = { codec, profiles: Object.keys(profiles).join(', ') };
    throw refuse(
      profile === '' ? because('target_no_profile', possible) : because('target_profile', { profile, ...possible }),
    );
  }
  const isInterlaced = track.scan === 'interlaced';
  if (isInterlaced && (codec !== 'h264' || values === 'baseline')) throw refuse(because('target_interlaced'));
  if (isInterlaced && height % 4 !== 0) throw refuse(because('target_interlaced_height', { height }));
  if (level === '') throw refuse(because('target_no_level'));
  if (!/^[1-6](\.[0-3])?$/.test(level)) throw refuse(because('target_level', { level }));
  if (sar_width < 1 || sar_height < 1 || Math.max(sar_width, sar_height) > 1000)
    throw refuse(because('target_aspect', { width: sar_width, height: sar_height }));
  if (fps !== undefined && (fps < 1 || fps > MAX_FPS)) throw refuse(because('target_frame_rate', { fps }));
  return {
    codec,
    isInterlaced,
    width,
    height,
    sarWidth: sar_width,
    sarHeight: sar_height,
    profile: values,
    level,
    ...fraction(fps ?? DEFAULT_FPS),
    bitrateKbps: bitrate(track, 50),
  };
}

function soundOf(track: TrackInfo, refuse: (why: Explained) => AirdeskError): ClipSound {
  const { codec, profile, sample_rate: sampleRate = 0, channels } = track;
  if (codec !== 'aac' || (profile !== undefined && !/^(aac-)?lc$/i.test(profile)))
    throw refuse(because('target_audio_codec', { codec: [codec, profile].join(' ').trim() }));
  if (!RATES.has(sampleRate)) throw refuse(because('target_sample_rate', { rate: sampleRate }));
  if (channels !== 1 && channels !== 2 && channels !== 6) throw refuse(because('target_channels'));
  return { sampleRate, channels, bitrateKbps: bitrate(track, 24) };
}

/** Measured bitrate of a stream; undefined without a measurement, or if it is too low to make sense. */
function bitrate({ bitrate: kbps }: TrackInfo, minKbps: number): number | undefined {
  return kbps !== undefined && kbps >= minKbps ? Math.min(kbps, MAX_KBPS) : undefined;
}

/** Frames per second as a fraction: 29.97 is 30000/1001. */
export function fraction(fps: number): Pick<ClipPicture, 'fpsNum' | 'fpsDen'> {
  const rounded = Math.round(fps);
  if (Math.abs(fps - rounded) < FPS_TOLERANCE / 10) return { fpsNum: rounded, fpsDen: 1 };
  const slowed = Math.ceil(fps);
  if (Math.abs(fps - slowed / 1.001) < FPS_TOLERANCE) return { fpsNum: slowed * 1000, fpsDen: 1001 };
  return { fpsNum: Math.round(fps * 1000), fpsDen: 1000 };
}

function streamTrack(info: TrackInfo): ComparedStream['tracks'][number]['track'] {
  const { track_id: id, content, codec, profile, level, width, height, fps, channels } = info;
  if (content === 'audio') return { id, content, codec, profile, sampleRate: info.sample_rate, channels };
  const { sar_width: sarWidth = 1, sar_height: sarHeight = 1, scan } = info;
  const fields = scan === 'interlaced' ? ({ isInterlaced: true } as const) : {};
  return { id, content, codec, profile, level, width, height, sarWidth, sarHeight, fps, ...fields };
}
