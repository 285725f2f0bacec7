import type { MediaInfo, TrackInfo } from '../../src-preload/contract/api/media-info.ts';
import { displayOf } from '../media/display.ts';
import { unitsPerFrame } from '../media/timing/unit-ticks.ts';
import type { SegmentWindow } from '../segment/segment-window.ts';
import type { TrackStatus } from '../engine/messages.ts';

/** A track with its bits per second. */
type MeasuredTrack = Pick<TrackStatus, 'track' | 'bitrate'>;

/** The `media_info` of a stream from the measurements of its tracks; null without tracks. */
export function mediaInfo(tracks: readonly MeasuredTrack[]): MediaInfo | null {
  if (tracks.length === 0) return null;
  const infos = tracks.map(trackInfo).sort((a, b) => (a.track_id < b.track_id ? -1 : 1));
  const video = infos.find((info) => info.content === 'video');
  const size =
    video?.width !== undefined && video.height !== undefined ? { width: video.width, height: video.height } : {};
  return { ...size, streams: infos, tracks: infos };
}

/**
 * The `media_info` of a window at a time, in epoch milliseconds, with the tracks that have media in the ten seconds
 * from then on.
 */
export function windowInfo(window: SegmentWindow, atMs: number): MediaInfo | null {
  const near = { fromMs: atMs, toMs: atMs + NEAR_MS };
  const tracks = window.tracks.flatMap(({ track: { id }, rate }) => {
    const entry = window.segments(id, near).find(({ segment }) => !segment.isGap);
    const track = entry && window.init(id, entry.segment.initId)?.track;
    return track ? [{ track, bitrate: rate.average ?? rate.peak }] : [];
  });
  return mediaInfo(tracks);
}

const NEAR_MS = 10_000;

function trackInfo({ track, bitrate }: MeasuredTrack): TrackInfo {
  const common = {
    content: track.content,
    codec: track.codec,
    track_id: track.id,
    bitrate: Math.round(bitrate / 1000),
    ...(track.language === undefined ? {} : { lang: track.language }),
    ...(track.profile === undefined ? {} : { profile: track.profile }),
  };
  if (track.content === 'audio') return { ...common, channels: track.channels, sample_rate: track.sampleRate };
  const display = displayOf(track);
  const fields = unitsPerFrame(track);
  const pixelWidth = Math.round((track.width * track.sarWidth * fields) / Math.max(1, track.sarHeight));
  return {
    ...common,
    size: `${track.width}x${track.height}`,
    ...(track.fps === undefined ? {} : { fps: Math.round(track.fps * 1000) / 1000 }),
    width: track.width,
    height: track.height,
    pixel_width: pixelWidth,
    pixel_height: track.height * fields,
    sar_width: track.sarWidth,
    sar_height: track.sarHeight,
    ...(track.displayMatrix
      ? { rotation: display.rotationDegrees, display_width: display.width, display_height: display.height }
      : {}),
    ...(track.isInterlaced ? { scan: 'interlaced' as const } : {}),
    length_size: 4,
    level: track.level,
  };
}
