import { z } from 'zod';
import { flag, integer } from '../api/api-parts.ts';

/** Maximum number of names of each kind that an impact lists. */
export const IMPACT_NAMES_MAX = 100;

const namesSchema = z.object({
  count: z.number().int(),
  names: z.array(z.string()).describe('at most a hundred'),
});

/** Effect of a new configuration on the running streams and services. */
export const configImpactSchema = z.object({
  added: namesSchema.describe('streams that start'),
  removed: namesSchema.describe('streams that stop'),
  restarted: namesSchema.describe('streams that restart'),
  updated: namesSchema.describe('streams that continue with new settings'),
  prefixes: namesSchema.describe('live prefixes and templates that are added, changed or removed'),
  viewers: integer('viewers of streams that stop or restart'),
  publishers: integer('encoders that are disconnected'),
  ports_opened: z.array(z.string()).describe('such as `rtmp 1935`'),
  ports_closed: z.array(z.string()),
  settings: z.array(z.string()).describe('changed settings of the server, by directive'),
  is_reordered: flag('whether the order of the streams changes'),
});
export type ConfigImpact = z.infer<typeof configImpactSchema>;
