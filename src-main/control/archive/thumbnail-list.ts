import type { TimeRange } from '../../dvr/catalog/catalog-store.ts';

/** Tiles of a sprite, and their size in pixels. */
export const COLUMNS = 5;
export const ROWS = 5;
export const TILE_WIDTH = 160;
export const TILE_HEIGHT = 90;

/** How many seconds may lie between two thumbnails. A sprite of the longest has six hours and a quarter. */
const STEPS: readonly number[] = [2, 5, 10, 30, 60, 120, 300, 900];
const LONGEST_STEP = 900;

/** The shortest allowed step that is not shorter than this, in seconds. */
export function stepOf(seconds: number): number {
  return STEPS.find((step) => step >= seconds) ?? LONGEST_STEP;
}

/** How much time one sprite has, in seconds. Sprites begin at multiples of it since 1970, the same for every list. */
export function spriteSeconds(stepSeconds: number): number {
  return stepSeconds * COLUMNS * ROWS;
}

/** What is listed. */
export interface ListedThumbnails {
  readonly stream: string;
  readonly time: TimeRange;
  /** What of it is recorded, in order. */
  readonly ranges: readonly TimeRange[];
  readonly stepSeconds: number;
  /** What the addresses carry on. */
  readonly query: string;
}

/**
 * Where the thumbnails of a time lie: as WebVTT with the place in the sprite as a media fragment (`#xywh=`, W3C Media Fragments 4.2.2), in the time of
 * a playlist, in which holes take no time; or as JSON, in seconds since 1970.
 */
export function listThumbnails(listed: ListedThumbnails, form: 'vtt' | 'json'): string {
  return form === 'vtt' ? vtt(listed) : json(listed);
}

function vtt(listed: ListedThumbnails): string {
  const lines = ['WEBVTT', ''];
  let playedMs = 0;
  for (const range of listed.ranges) {
    for (const { tile, startMs, endMs } of tilesOf(range, listed.stepSeconds)) {
      const from = playedMs + startMs - range.startMs;
      lines.push(`${vttTime(from)} --> ${vttTime(from + endMs - startMs)}`, addressOf(listed, tile, true), '');
    }
    playedMs += range.endMs - range.startMs;
  }
  return lines.join('\n');
}

function json(listed: ListedThumbnails): string {
  const { stream, time, stepSeconds, ranges } = listed;
  const images = new Map<number, string>();
  const perSprite = COLUMNS * ROWS;
  for (const range of ranges)
    for (const { tile } of tilesOf(range, stepSeconds)) {
      const first = tile - (tile % perSprite);
      if (!images.has(first)) images.set(first, addressOf(listed, tile, false));
    }
  return JSON.stringify({
    stream,
    from: time.startMs / 1000,
    duration: (time.endMs - time.startMs) / 1000,
    step: stepSeconds,
    ...{ columns: COLUMNS, rows: ROWS, width: TILE_WIDTH, height: TILE_HEIGHT },
    images: [...images].map(([tile, address]) => ({ from: tile * stepSeconds, address })),
  });
}

/** The tiles that have something of a range, numbered from 1970 on. */
function* tilesOf(
  { startMs, endMs }: TimeRange,
  stepSeconds: number,
): Generator<{ readonly tile: number } & TimeRange, void> {
  const stepMs = stepSeconds * 1000;
  for (let tile = Math.floor(startMs / stepMs); tile * stepMs < endMs; tile++)
    yield { tile, startMs: Math.max(startMs, tile * stepMs), endMs: Math.min(endMs, (tile + 1) * stepMs) };
}

function addressOf({ stepSeconds, query }: ListedThumbnails, tile: number, isPlaced: boolean): string {
  const inSprite = tile % (COLUMNS * ROWS);
  const file = `sprite-${(tile - inSprite) * stepSeconds}-${stepSeconds}.jpg${query === '' ? '' : `?${query}`}`;
  const [x, y] = [(inSprite % COLUMNS) * TILE_WIDTH, Math.floor(inSprite / COLUMNS) * TILE_HEIGHT];
  return isPlaced ? `${file}#xywh=${x},${y},${TILE_WIDTH},${TILE_HEIGHT}` : file;
}

function vttTime(ms: number): string {
  const pad = (value: number, digits: number): string => String(value).padStart(digits, '0');
  const whole = Math.round(ms);
  const [hours, minutes, seconds] = [whole / 3_600_000, (whole / 60_000) % 60, (whole / 1000) % 60].map(Math.floor);
  return `${pad(hours ?? 0, 2)}:${pad(minutes ?? 0, 2)}:${pad(seconds ?? 0, 2)}.${pad(whole % 1000, 3)}`;
}
