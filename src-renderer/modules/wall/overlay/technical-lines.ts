import type { StreamState, TrackInfo } from '../../../../src-preload/contract/index.ts';
import { formatFixed } from '../../../i18n/i18n.ts';
import { formatBitrate, formatCodec, formatFps } from '../../../lib/format.ts';
import { TEXTS } from '../texts.ts';

/** Maximum number of listed tracks; a picture has no room for more. */
const MAX_TRACKS = 10;

/** Technical data of a stream: a line per track, one for the whole stream, and one for the input on air. */
export function technicalLines(state: StreamState): readonly string[] {
  const all = state.media_info?.tracks ?? [];
  const [pictures, sounds] = [all.filter(isPicture), all.filter((track) => !isPicture(track))];
  const tracks = [...pictures, ...sounds].slice(0, MAX_TRACKS).map((track) => trackLine(track, state));
  const streamLine = [
    state.bitrate > 0 ? formatBitrate(state.bitrate) : undefined,
    TEXTS.faults(formatFixed(state.input_error_rate, 1)),
    TEXTS.viewers(state.client_count),
  ];
  return [...tracks, joined(streamLine), state.input_url ?? ''].filter((line) => line !== '');
}

function isPicture({ content }: TrackInfo): boolean {
  return content === 'video';
}

function trackLine(track: TrackInfo, { fps }: StreamState): string {
  const kind = [track.track_id, formatCodec(track.codec), joined([track.profile, track.level], ' ')];
  const rate = track.bitrate === undefined ? undefined : formatBitrate(track.bitrate);
  return joined([...kind, ...(isPicture(track) ? pictureOf(track, fps) : soundOf(track)), rate]);
}

function pictureOf(
  { width, height, size, fps, scan }: TrackInfo,
  measured: number | null | undefined,
): (string | undefined)[] {
  const pixels = width !== undefined && height !== undefined ? `${width}×${height}` : size?.replace('x', '×');
  const rate = fps ?? measured ?? 0;
  return [pixels, rate > 0 ? formatFps(rate) : undefined, scan === 'interlaced' ? TEXTS.interlaced : undefined];
}

function soundOf({ channels, sample_rate: rate, lang }: TrackInfo): (string | undefined)[] {
  return [
    channels === undefined ? undefined : TEXTS.channels(channels),
    rate === undefined ? undefined : `${formatFixed(rate / 1000, rate % 1000 === 0 ? 0 : 1)} kHz`,
    lang,
  ];
}

function joined(parts: readonly (string | undefined)[], by = ', '): string {
  return parts.filter((part) => part !== undefined && part !== '').join(by);
}
