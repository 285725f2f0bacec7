import type { TrackInfo } from '../../src-preload/contract/index.ts';
import { formatFigure } from '../i18n/i18n.ts';
import { formatBitrate, formatCodec, formatFps } from './format.ts';

/** Describes a track: codec with profile, size, rates, channels, language and bit rate. */
export function trackText(track: TrackInfo): string {
  const isVideo = track.content === 'video';
  return [
    formatCodec(track.codec),
    [track.profile, track.level].filter(Boolean).join(' '),
    isVideo && track.width !== undefined ? `${track.width}×${track.height ?? '?'}` : '',
    isVideo && track.fps !== undefined ? formatFps(track.fps) : '',
    track.sample_rate === undefined ? '' : `${formatFigure(track.sample_rate / 1000, 3)} kHz`,
    track.channels === undefined ? '' : `${track.channels} ch`,
    track.lang ?? '',
    track.bitrate === undefined ? '' : formatBitrate(track.bitrate),
  ]
    .filter(Boolean)
    .join(' · ');
}
