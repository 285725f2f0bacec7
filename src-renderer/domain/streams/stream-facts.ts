import type { StreamState, TrackInfo } from '../../../src-preload/contract/index.ts';
import { formatBitrate, formatCodec, formatFps } from '../../lib/format.ts';
import { TEXTS } from './texts.ts';

/** Technical values of a stream, most important first: a narrow tile shows fewer. */
export interface StreamFacts {
  readonly bitrate: string;
  readonly fps: string;
  readonly size: string;
  readonly videoCodec: string;
  readonly audioCodec: string;
  /** Channels of the first audio track; 0 without audio. */
  readonly channelCount: number;
}

const MAX_METERED_CHANNELS = 8;

/** Formats the technical values of a stream. */
export function factsOf(state: Pick<StreamState, 'media_info' | 'bitrate' | 'fps'>): StreamFacts {
  const tracks = state.media_info?.tracks ?? [];
  const video = tracks.find((track) => track.content === 'video');
  const audio = tracks.find((track) => track.content === 'audio');
  return {
    bitrate: state.bitrate > 0 ? formatBitrate(state.bitrate) : '',
    fps: video && (state.fps ?? 0) > 0 ? formatFps(state.fps) : '',
    size: video ? sizeOf(video) : '',
    videoCodec: video ? formatCodec(video.codec) : audio ? TEXTS.noVideo : '',
    audioCodec: audio ? audioText(audio) : video ? TEXTS.noAudio : '',
    channelCount: audio ? Math.min(MAX_METERED_CHANNELS, Math.max(1, audio.channels ?? 2)) : 0,
  };
}

function sizeOf(video: TrackInfo): string {
  if (video.width !== undefined && video.height !== undefined) return `${video.width}×${video.height}`;
  return video.size?.replace('x', '×') ?? '';
}

const LAYOUTS: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' };

function audioText(audio: TrackInfo): string {
  const layout = audio.channels === undefined ? '' : ` ${LAYOUTS[audio.channels] ?? `${audio.channels} ch`}`;
  return `${formatCodec(audio.codec)}${layout}`;
}
