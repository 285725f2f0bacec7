import type { ThumbnailForm } from '../../delivery/media-address.ts';
import type { TimeRange } from '../../dvr/catalog/catalog-store.ts';
import { COLUMNS, ROWS, spriteName, spriteSeconds, TILE_HEIGHT, TILE_WIDTH } from '../../packaging/thumbnail-tiles.ts';

export interface ListedThumbnails {
  readonly stream: string;
  readonly time: TimeRange;
  /** Recorded parts of the range, in order. */
  readonly ranges: readonly TimeRange[];
  readonly stepSeconds: number;
  /** Query string for the addresses. */
  readonly query: string;
}

/**
 * List of a time range's thumbnails, in one of three forms. WebVTT has the position in the sprite as a media fragment (`#xywh=`,
 * W3C Media Fragments 4.2.2). An image playlist is an HLS image media playlist (1.0). Both use the time of a playlist, in which
 * gaps take no time. JSON uses seconds since 1970.
 */
export function listThumbnails(listed: ListedThumbnails, form: ThumbnailForm): string {
  return FORMS[form](listed);
}

const FORMS: Readonly<Record<ThumbnailForm, (listed: ListedThumbnails) => string>> = { vtt, json, m3u8: imagePlaylist };

/**
 * Image playlist with one sprite for each recorded range that has one; a sprite lasts as long as the recording in it. The first
 * sprite of a range starts at the start of the range, with an error of up to half a step.
 */
function imagePlaylist({ ranges, stepSeconds, query }: ListedThumbnails): string {
  const [stepMs, spriteMs] = [stepSeconds * 1000, spriteSeconds(stepSeconds) * 1000];
  const head = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${(spriteMs + stepMs) / 1000}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-IMAGES-ONLY',
  ];
  const tiles = `#EXT-X-TILES:RESOLUTION=${TILE_WIDTH}x${TILE_HEIGHT},LAYOUT=${COLUMNS}x${ROWS},DURATION=${stepSeconds}`;
  const images: string[] = [];
  for (const { startMs, endMs } of ranges) {
    let spriteAt = Math.round(startMs / stepMs) * stepMs;
    for (let at = startMs; at < endMs;) {
      const nextAt = Math.min(endMs, (Math.floor(spriteAt / spriteMs) + 1) * spriteMs);
      const address = `${spriteName(spriteAt / 1000, stepSeconds)}${query === '' ? '' : `?${query}`}`;
      images.push(tiles, `#EXTINF:${(nextAt - at) / 1000},`, address);
      at = spriteAt = nextAt;
    }
  }
  return [...head, ...images, '#EXT-X-ENDLIST', ''].join('\n');
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
    columns: COLUMNS,
    rows: ROWS,
    width: TILE_WIDTH,
    height: TILE_HEIGHT,
    images: [...images].map(([tile, address]) => ({ from: tile * stepSeconds, address })),
  });
}

/** Tiles that overlap a range, numbered from 1970. */
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
  const name = spriteName((tile - inSprite) * stepSeconds, stepSeconds);
  const file = `${name}${query === '' ? '' : `?${query}`}`;
  const [x, y] = [(inSprite % COLUMNS) * TILE_WIDTH, Math.floor(inSprite / COLUMNS) * TILE_HEIGHT];
  return isPlaced ? `${file}#xywh=${x},${y},${TILE_WIDTH},${TILE_HEIGHT}` : file;
}

function vttTime(ms: number): string {
  const pad = (value: number, digits: number): string => String(value).padStart(digits, '0');
  const totalMs = Math.round(ms);
  const [hours, minutes, seconds] = [totalMs / 3_600_000, (totalMs / 60_000) % 60, (totalMs / 1000) % 60].map(
    Math.floor,
  );
  return `${pad(hours ?? 0, 2)}:${pad(minutes ?? 0, 2)}:${pad(seconds ?? 0, 2)}.${pad(totalMs % 1000, 3)}`;
}
