import { formatFixed } from '../i18n/i18n.ts';

const NONE = '–';

/** Formats a bit rate given in kbit/s: `864 kbit/s`, `4.02 Mbit/s`. */
export function formatBitrate(kbit: number): string {
  if (kbit <= 0) return NONE;
  if (kbit < 1000) return `${Math.round(kbit)} kbit/s`;
  const mbit = kbit / 1000;
  return `${formatFixed(mbit, mbit < 10 ? 2 : 1)} Mbit/s`;
}

/** Formats a frame rate: integers without decimals, broadcast rates with two (`29.97`). */
export function formatFps(fps: number | null | undefined): string {
  if (fps === null || fps === undefined || fps <= 0) return NONE;
  const nearest = Math.round(fps);
  return `${Math.abs(fps - nearest) < 0.05 && !isNtscRate(fps) ? nearest : formatFixed(fps, 2)} fps`;
}

function isNtscRate(fps: number): boolean {
  return [24, 30, 60].some((rate) => Math.abs(fps - rate / 1.001) < 0.005);
}

/** Formats a short duration: seconds with one decimal below a minute, then `m:ss`, then `h:mm:ss`. */
export function formatSpan(ms: number): string {
  if (ms < 60_000) return `${formatFixed(Math.max(0, ms) / 1000, 1)} s`;
  return formatElapsed(ms);
}

/** Formats an elapsed time as `m:ss` or `h:mm:ss`, with the number of days in front if it is a day or more. */
export function formatElapsed(ms: number): string {
  const all = Math.floor(Math.max(0, ms) / 1000);
  const days = Math.floor(all / 86_400);
  const hours = Math.floor(all / 3600) % 24;
  const minutes = Math.floor(all / 60) % 60;
  const seconds = String(all % 60).padStart(2, '0');
  if (days > 0) return `${days} d ${hours}:${String(minutes).padStart(2, '0')}:${seconds}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`;
}

/** Formats the time of day as `hh:mm:ss`, in UTC or in the local time zone. */
export function formatClock(epochMs: number, zone: 'utc' | 'local'): string {
  const date = new Date(epochMs);
  const parts =
    zone === 'utc'
      ? [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
      : [date.getHours(), date.getMinutes(), date.getSeconds()];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** Formats the local time of day as `hh:mm:ss.mmm`. */
export function formatInstant(utcMs: number): string {
  return `${formatClock(utcMs, 'local')}.${String(Math.trunc(utcMs) % 1000).padStart(3, '0')}`;
}

/** Formats a date as `yyyy-mm-dd`, in UTC or in the local time zone. */
export function formatDay(epochMs: number, zone: 'utc' | 'local' = 'local'): string {
  const date = new Date(epochMs);
  if (zone === 'utc') return date.toISOString().slice(0, 10);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return day.map((part) => String(part).padStart(2, '0')).join('-');
}

/** Formats a local date and time as `yyyy-mm-dd hh:mm:ss`. */
export function formatDayTime(epochMs: number): string {
  return `${formatDay(epochMs)} ${formatClock(epochMs, 'local')}`;
}

/** Epoch milliseconds of a local time, as a `TimeField` returns it; undefined for any other text. */
export function epochOf(local: string): number | undefined {
  const ms = new Date(local).getTime();
  return Number.isNaN(ms) ? undefined : ms;
}

const CODEC_NAMES: readonly (readonly [prefix: string, name: string])[] = [
  ['avc', 'H.264'],
  ['h264', 'H.264'],
  ['hvc', 'H.265'],
  ['hev', 'H.265'],
  ['h265', 'H.265'],
  ['av01', 'AV1'],
  ['av1', 'AV1'],
  ['mp4a.40.33', 'MP2'],
  ['mp4a.40.34', 'MP3'],
  ['mp4a.6b', 'MP3'],
  ['mp2', 'MP2'],
  ['mp1', 'MP1'],
  ['mp4a', 'AAC'],
  ['aac', 'AAC'],
  ['mp3', 'MP3'],
  ['ec-3', 'E-AC-3'],
  ['eac3', 'E-AC-3'],
  ['ac-3', 'AC-3'],
  ['ac3', 'AC-3'],
  ['opus', 'Opus'],
];

/** Common name of a codec: `avc1.640028` and `h264` are both `H.264`. */
export function formatCodec(codec: string): string {
  const lower = codec.toLowerCase();
  return CODEC_NAMES.find(([prefix]) => lower.startsWith(prefix))?.[1] ?? codec;
}

/** Joins a base address and a path with exactly one slash. */
export function joinAddress(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}

/** Adds a query to an address, if there is one. */
export function withQuery(address: string, query: string | undefined): string {
  return query === undefined ? address : `${address}?${query}`;
}

/**
 * Query of a request for a newest picture. The server answers 204 if there is none at the moment; browsers report other
 * answers as errors on their console.
 */
export function stillQuery(query: string | undefined): string {
  return query === undefined ? 'optional=true' : `${query}&optional=true`;
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats a number of bytes: `1.2 MB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : formatFixed(value, 1)} ${BYTE_UNITS[power] ?? ''}`;
}
