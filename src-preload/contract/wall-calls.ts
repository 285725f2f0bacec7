import { z } from 'zod';
import { streamNameSchema } from './streams.ts';

/** Most walls that a server keeps. */
export const WALLS_MAX = 100;
/** Most streams of a wall. */
const WALL_STREAMS_MAX = 1000;
/** Most columns, and most rows, of a page. */
const WALL_SIDE_MAX = 8;

const wallNameSchema = z.string().trim().min(1).max(60).describe('what operators call it');

/** A wall with a name: which streams stand on it, in which order, and how many on a page. */
export const wallSchema = z.object({
  name: wallNameSchema,
  key: z.number().int().min(1).max(12).nullable().describe('the function key that recalls it; null for none'),
  columns: z.number().int().min(1).max(WALL_SIDE_MAX).describe('tiles beside each other'),
  rows: z.number().int().min(1).max(WALL_SIDE_MAX).describe('tiles below each other'),
  streams: z
    .array(streamNameSchema)
    .max(WALL_STREAMS_MAX)
    .describe('in the order of their places; they need not be there'),
});
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
