import {
  COLUMNS,
  ROWS,
  spriteBandwidth,
  spriteName,
  spriteSeconds,
  TILE_HEIGHT,
  TILE_WIDTH,
} from '../thumbnail-tiles.ts';
import { escapeAttribute } from './escape-attribute.ts';

/** Number of the AdaptationSet of thumbnails. */
const THUMBNAIL_SET = 3000;

/** A Period with its thumbnails. */
interface ThumbnailPeriod {
  /** UTC range of the Period, in epoch milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Seconds between two pictures. */
  readonly stepSeconds: number;
  /** Appended to the addresses. */
  readonly query?: string;
}

/**
 * AdaptationSet of sprites (DASH-IF IOP, 6.2.6, `thumbnail_tile`). Sprites start at fixed times, usually before the
 * Period, in whole seconds, so pictures are up to a second off.
 */
export function thumbnailSet({ fromMs, toMs, stepSeconds, query = '' }: ThumbnailPeriod): string[] {
  const length = spriteSeconds(stepSeconds);
  const offset = Math.floor(fromMs / 1000);
  const first = offset - (offset % length);
  const repeat = Math.max(0, Math.ceil((toMs / 1000 - first) / length) - 1);
  const media = `${spriteName('$Time$', stepSeconds)}${query === '' ? '' : `?${escapeAttribute(query)}`}`;
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
