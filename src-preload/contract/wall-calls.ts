import { z } from 'zod';
import { streamNameSchema } from './streams.ts';

/** Most walls that a server keeps. */
export const WALLS_MAX = 100;
/** Most streams of a wall. */
const WALL_STREAMS_MAX = 1000;
/** Most columns, and most rows, of a page. */
const WALL_SIDE_MAX = 8;

const wallNameSchema = z.string().trim().min(1).max(60).describe('what operators call it');

/** Farthest that an archive is shown behind live, in seconds. */
const SECONDS_BEHIND_MAX = 86_400;
/** Longest text of a cell, and address of a page, in characters. */
const TEXT_MAX = 500;
const URL_MAX = 2000;

/** What a cell shows. */
const wallTileSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('next') }).describe('the next stream of the wall, by page'),
  z.object({ kind: z.literal('stream'), stream: streamNameSchema }).describe('this stream on every page'),
  z
    .object({ kind: z.literal('group'), prefix: streamNameSchema.describe('what is before a slash in their names') })
    .describe('the next stream of a group, by page'),
  z.object({ kind: z.literal('penalty') }).describe('a stream that has an alarm, for as long as it lasts'),
  z
    .object({
      kind: z.literal('archive'),
      stream: streamNameSchema,
      seconds_behind: z.number().int().min(1).max(SECONDS_BEHIND_MAX).describe('how long ago it was live'),
    })
    .describe('the stream as it was, from its archive'),
  z.object({ kind: z.literal('still'), stream: streamNameSchema }).describe('a picture of the stream a second'),
  z.object({ kind: z.literal('meters'), stream: streamNameSchema }).describe('the levels of its sound alone'),
  z.object({ kind: z.literal('clock'), zone: z.enum(['utc', 'local']).describe('which time') }).describe('the time'),
  z.object({ kind: z.literal('text'), text: z.string().max(TEXT_MAX).describe('what it says') }).describe('a text'),
  z
    .object({ kind: z.literal('web'), url: z.string().max(URL_MAX).describe('of an origin in `wall_origins`') })
    .describe('a web page'),
]);
/** What a cell shows. */
export type WallTile = z.infer<typeof wallTileSchema>;

/** What can lie over the picture of a cell. */
const wallOverlaySchema = z.enum(['safe_areas', 'centre', 'scale', 'loudness', 'technical']);
/** What can lie over the picture of a cell. */
export type WallOverlay = z.infer<typeof wallOverlaySchema>;
/** All that can lie over a picture, in the order in which it is offered. */
export const WALL_OVERLAYS: readonly WallOverlay[] = wallOverlaySchema.options;
/** What lies over a picture. */
export const wallOverlaysSchema = z
  .array(wallOverlaySchema)
  .max(WALL_OVERLAYS.length)
  .describe('safe areas (EBU R 95), centre, scale of the levels, short-term loudness, technical data');

const side = (words: string): z.ZodNumber => z.number().int().min(1).max(WALL_SIDE_MAX).describe(words);
const place = (words: string): z.ZodNumber =>
  z
    .number()
    .int()
    .min(0)
    .max(WALL_SIDE_MAX - 1)
    .describe(words);

/** A rectangle of the grid of a page. */
const wallCellSchema = z.object({
  x: place('its first column, from 0'),
  y: place('its first row, from 0'),
  w: side('columns that it spans'),
  h: side('rows that it spans'),
  tile: wallTileSchema.describe('what it shows'),
  overlays: wallOverlaysSchema.exactOptional(),
});
/** A rectangle of the grid of a page. */
export type WallCell = z.infer<typeof wallCellSchema>;

const layoutShape = {
  columns: side('tiles beside each other'),
  rows: side('tiles below each other'),
  cells: z
    .array(wallCellSchema)
    .max(WALL_SIDE_MAX * WALL_SIDE_MAX)
    .default([])
    .describe(
      'rectangles inside the grid that do not overlap; none: each place of the grid is one, for the next stream',
    ),
};

interface LayoutShape {
  readonly columns: number;
  readonly rows: number;
  readonly cells: readonly WallCell[];
}
/** Whether two rectangles have a place in common. */
export function isOverlap(one: Omit<WallCell, 'tile'>, other: Omit<WallCell, 'tile'>): boolean {
  return one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
}
/** Whether all cells of a layout lie inside its grid and none on another. */
export function isSound({ columns, rows, cells }: LayoutShape): boolean {
  return cells.every(
    (cell, index) =>
      Math.min(cell.x, cell.y) >= 0 &&
      cell.x + cell.w <= columns &&
      cell.y + cell.h <= rows &&
      cells.slice(index + 1).every((other) => !isOverlap(cell, other)),
  );
}
const SOUND = { path: ['cells'], error: 'Cells lie inside the grid and do not overlap' };

/** Where tiles stand on a page. */
export const wallLayoutSchema = z.object(layoutShape).refine(isSound, SOUND);
/** Where tiles stand on a page. */
export type WallLayout = z.infer<typeof wallLayoutSchema>;

/** A wall with a name: which streams stand on it, in which order, and where on a page. */
export const wallSchema = z
  .object({
    name: wallNameSchema,
    key: z.number().int().min(1).max(12).nullable().describe('the function key that recalls it; null for none'),
    ...layoutShape,
    streams: z
      .array(streamNameSchema)
      .max(WALL_STREAMS_MAX)
      .describe('in the order of their places; they need not be there'),
  })
  .refine(isSound, SOUND);
/** A wall with a name. */
export type Wall = z.infer<typeof wallSchema>;

/** Longest line of a label, in characters. */
const LABEL_LINE_MAX = 60;

/** What a production system says of a stream on the tiles of all desks: its text (UMD) and its lamp. */
export const tileLabelSchema = z.object({
  umd: z
    .array(z.string().max(LABEL_LINE_MAX))
    .max(2)
    .describe('up to two lines in place of name and title; none: name and title stand there'),
  tally: z.enum(['off', 'red', 'green', 'both']).describe('the lamp: red for on air, green for on preview'),
});
/** What a production system says of a stream. */
export type TileLabel = z.infer<typeof tileLabelSchema>;

/** What of a label is written; what is left out stays. */
export const tileLabelChangeSchema = tileLabelSchema.partial();

/** What windows are asked to show. */
export const wallRecallSchema = z.object({
  window: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .optional()
    .describe('only windows with this name in their address (`?window=`); without it all that show the wall'),
});

const wallsSchema = z.object({ walls: z.array(wallSchema).describe('in the order in which they were saved first') });

/** Calls about walls, which all desks of a server share. */
export const WALL_CALLS = {
  'walls.list': { input: z.object({}), output: wallsSchema, isWrite: false },
  'walls.save': { input: wallSchema, output: wallsSchema, isWrite: true },
  'walls.remove': { input: z.object({ name: wallNameSchema }), output: wallsSchema, isWrite: true },
} as const;
