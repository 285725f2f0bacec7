import {
  COLUMNS,
  ROWS,
  spriteBandwidth,
  spriteName,
  spriteSeconds,
  TILE_HEIGHT,
  TILE_WIDTH,
} from '../thumbnail-tiles.ts';
import { attribute } from './attribute.ts';

/** Id of the AdaptationSet of thumbnails. */
const THUMBNAIL_SET = 3000;

/** Period with thumbnails. */
interface ThumbnailPeriod {
  /** UTC range of the Period, in epoch milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Seconds between two thumbnails. */
  readonly stepSeconds: number;
  /** Query string of the addresses. */
  readonly query?: string;
}

/**
 * AdaptationSet of sprites (DASH-IF IOP, 6.2.6, `thumbnail_tile`). Sprites start at the same times for everyone, mostly before
 * the Period, and their times are whole seconds: pictures are up to a second off.
 */
export function thumbnailSet({ fromMs, toMs, stepSeconds, query = '' }: ThumbnailPeriod): string[] {
  const length = spriteSeconds(stepSeconds);
  const offset = Math.floor(fromMs / 1000);
  const first = offset - (offset % length);
  const repeat = Math.max(0, Math.ceil((toMs / 1000 - first) / length) - 1);
  const media = `${spriteName('$Time$', stepSeconds)}${query === '' ? '' : `?${attribute(query)}`}`;
  const size = `width="${COLUMNS * TILE_WIDTH}" height="${ROWS * TILE_HEIGHT}"`;
  return [
    `<AdaptationSet id="${THUMBNAIL_SET}" contentType="image" mimeType="image/jpeg">`,
    `<SegmentTemplate timescale="1" presentationTimeOffset="${offset}" media="${media}"><SegmentTimeline><S t="${first}" d="${length}" r="${repeat}"/></SegmentTimeline></SegmentTemplate>`,
    `<Representation id="thumbnails" bandwidth="${spriteBandwidth(stepSeconds)}" ${size}>`,
    `<EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="${COLUMNS}x${ROWS}"/>`,
    '</Representation>',
    '</AdaptationSet>',
  ];
}
