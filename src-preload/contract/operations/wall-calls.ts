import { z } from 'zod';
import { LINE } from '../api/plain-text.ts';
import { streamNameSchema } from '../api/streams.ts';
import { reads, streamInPath, writes, type OperationTable } from './operation.ts';

/** Maximum number of walls on a server. */
export const WALLS_MAX = 100;
/** Maximum number of streams of a wall. */
const WALL_STREAMS_MAX = 1000;
/** Maximum number of columns, and of rows, of a page. */
const WALL_SIDE_MAX = 8;

const wallNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .refine(...LINE)
  .describe('name of the wall');

/** Maximum delay of an archive tile, in seconds. */
const MAX_DELAY_SECONDS = 86_400;
/** Maximum length of the text of a cell, and of the address of a web page, in characters. */
const TEXT_MAX = 500;
const URL_MAX = 2000;

/** Content of a cell. */
const wallTileSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('next') }).describe('the next stream of the wall, by page'),
  z.object({ kind: z.literal('stream'), stream: streamNameSchema }).describe('this stream on every page'),
  z
    .object({ kind: z.literal('group'), prefix: streamNameSchema.describe('part of the names before a slash') })
    .describe('the next stream of a group, by page'),
  z.object({ kind: z.literal('penalty') }).describe('a stream with an alarm, while the alarm is active'),
  z
    .object({
      kind: z.literal('archive'),
      stream: streamNameSchema,
      seconds_behind: z.number().int().min(1).max(MAX_DELAY_SECONDS).describe('delay behind live'),
    })
    .describe('the archive of a stream, with a delay'),
  z.object({ kind: z.literal('still'), stream: streamNameSchema }).describe('stills of the stream, one per second'),
  z.object({ kind: z.literal('meters'), stream: streamNameSchema }).describe('audio meters only'),
  z.object({ kind: z.literal('clock'), zone: z.enum(['utc', 'local']).describe('time zone') }).describe('a clock'),
  z.object({ kind: z.literal('text'), text: z.string().max(TEXT_MAX).describe('the text') }).describe('a text'),
  z
    .object({ kind: z.literal('web'), url: z.string().max(URL_MAX).describe('from an origin in `wall_origins`') })
    .describe('a web page'),
]);
/** Content of a cell. */
export type WallTile = z.infer<typeof wallTileSchema>;

/** Overlay over the picture of a cell. */
const wallOverlaySchema = z.enum(['safe_areas', 'centre', 'scale', 'loudness', 'technical']);
/** Overlay over the picture of a cell. */
export type WallOverlay = z.infer<typeof wallOverlaySchema>;
/** Overlays in the order of the menu. */
export const WALL_OVERLAYS: readonly WallOverlay[] = wallOverlaySchema.options;
/** Overlays of a picture. */
export const wallOverlaysSchema = z
  .array(wallOverlaySchema)
  .max(WALL_OVERLAYS.length)
  .describe('safe areas (EBU R 95), centre, scale of the levels, short-term loudness, technical data');

const side = (description: string): z.ZodNumber => z.number().int().min(1).max(WALL_SIDE_MAX).describe(description);
const place = (description: string): z.ZodNumber =>
  z
    .number()
    .int()
    .min(0)
    .max(WALL_SIDE_MAX - 1)
    .describe(description);

/** Rectangle in the grid of a page. */
const wallCellSchema = z.object({
  x: place('its first column, from 0'),
  y: place('its first row, from 0'),
  w: side('columns that it spans'),
  h: side('rows that it spans'),
  tile: wallTileSchema.describe('content of the cell'),
  overlays: wallOverlaysSchema.exactOptional(),
});
/** Rectangle in the grid of a page. */
export type WallCell = z.infer<typeof wallCellSchema>;

const layoutShape = {
  columns: side('tiles beside each other'),
  rows: side('tiles below each other'),
  cells: z
    .array(wallCellSchema)
    .max(WALL_SIDE_MAX * WALL_SIDE_MAX)
    .default([])
    .describe('non-overlapping rectangles in the grid; none: each grid position is a cell for the next stream'),
};

interface LayoutShape {
  readonly columns: number;
  readonly rows: number;
  readonly cells: readonly WallCell[];
}
/** True if two rectangles overlap. */
export function isOverlap(one: Omit<WallCell, 'tile'>, other: Omit<WallCell, 'tile'>): boolean {
  return one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
}
/** True if all cells lie inside the grid and none overlaps another. */
export function isValidLayout({ columns, rows, cells }: LayoutShape): boolean {
  return cells.every(
    (cell, index) =>
      Math.min(cell.x, cell.y) >= 0 &&
      cell.x + cell.w <= columns &&
      cell.y + cell.h <= rows &&
      cells.slice(index + 1).every((other) => !isOverlap(cell, other)),
  );
}
const LAYOUT_RULE = { path: ['cells'], error: 'Cells lie inside the grid and do not overlap' };

/** Arrangement of tiles on a page. */
export const wallLayoutSchema = z.object(layoutShape).refine(isValidLayout, LAYOUT_RULE);
/** Arrangement of tiles on a page. */
export type WallLayout = z.infer<typeof wallLayoutSchema>;

/** Wall: a named list of streams in order, with their arrangement on a page. */
export const wallSchema = z
  .object({
    name: wallNameSchema,
    key: z.number().int().min(1).max(12).nullable().describe('function key that recalls the wall; null for none'),
    ...layoutShape,
    streams: z.array(streamNameSchema).max(WALL_STREAMS_MAX).describe('in order of places; absent streams are allowed'),
  })
  .refine(isValidLayout, LAYOUT_RULE);
/** Named wall. */
export type Wall = z.infer<typeof wallSchema>;

const listedWallSchema = wallSchema.safeExtend({
  is_partial: z
    .literal(true)
    .exactOptional()
    .describe('present if the wall also shows streams outside of the limit of the login, which cannot change it then'),
});
/** Wall as a login sees it. */
export type ListedWall = z.infer<typeof listedWallSchema>;

/** Maximum length of a label line, in characters. */
const LABEL_LINE_MAX = 60;

/** Label from a production system, shown on the tiles of all desks: text (UMD) and tally lamp. */
export const tileLabelSchema = z.object({
  umd: z
    .array(
      z
        .string()
        .max(LABEL_LINE_MAX)
        .refine(...LINE),
    )
    .max(2)
    .describe('up to two lines instead of name and title; none: name and title are shown'),
  tally: z.enum(['off', 'red', 'green', 'both']).describe('tally lamp: red for on air, green for preview'),
});
/** Label from a production system. */
export type TileLabel = z.infer<typeof tileLabelSchema>;

/** Request to windows to show a wall. */
export const wallRecallSchema = z.object({
  window: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .refine(...LINE)
    .optional()
    .describe('name of a window, as in its address (`?window=`); default: all windows on the page Wall'),
});

const wallsSchema = z.object({ walls: z.array(listedWallSchema).describe('in the order of creation') });

const LABEL = '/streams/{name}/label';
const LABEL_ANSWER = { answer: 'The changed label', answerSchema: 'tile_label' } as const;

/** Operations about walls, which all desks of a server share, and about the labels of their tiles. */
export const WALL_CALLS = {
  'walls.list': {
    ...reads('view', 'visible'),
    input: z.object({}),
    output: wallsSchema,
    http: {
      id: 'walls_list',
      at: 'GET /walls',
      summary: 'Lists the saved walls',
      answer: 'In the order of their creation',
      answerSchema: 'walls',
      errors: [503],
    },
  },
  'walls.save': { ...writes('operate', 'visible'), input: wallSchema, output: wallsSchema },
  'walls.remove': {
    ...writes('operate', 'visible'),
    input: z.object({ name: wallNameSchema }),
    output: wallsSchema,
  },
  'walls.recall': {
    ...writes('operate', 'visible'),
    input: wallRecallSchema.extend({ name: z.string().describe('name of the object, percent-encoded') }),
    output: z.object({}),
    http: {
      id: 'wall_recall',
      at: 'POST /walls/{name}/recall',
      summary: 'Shows this saved wall in all windows of the desk that are on the page Wall, or in one window',
      description: 'The name of a window is part of its address: `#/wall?window=left`.',
      answer: 'All connected desks were notified',
      errors: [404, 503],
    },
  },
  'walls.label': {
    ...reads('view', 'stream'),
    input: z.object({ name: streamInPath }),
    output: tileLabelSchema,
    http: {
      id: 'stream_label_get',
      at: `GET ${LABEL}`,
      summary: 'The label of the tiles of a stream',
      ...LABEL_ANSWER,
      errors: [503],
    },
  },
  'walls.set_label': {
    ...writes('operate', 'stream'),
    input: tileLabelSchema.partial().extend({ name: streamInPath }),
    output: tileLabelSchema,
    http: {
      id: 'stream_label_put',
      at: `PUT ${LABEL}`,
      summary: 'Sets the text (UMD) or the lamp (tally) of the tiles of a stream on all desks',
      description: 'Absent fields stay. The stream need not exist yet. Labels do not survive a restart of the server.',
      ...LABEL_ANSWER,
      errors: [409, 503],
    },
  },
  'walls.remove_label': {
    ...writes('operate', 'stream'),
    input: z.object({ name: streamInPath }),
    output: z.object({}),
    http: {
      id: 'stream_label_delete',
      at: `DELETE ${LABEL}`,
      summary: 'Removes the label of a stream’s tiles: they show name and title again, without a lamp',
      answer: 'Done',
      errors: [503],
    },
  },
} as const satisfies OperationTable;
