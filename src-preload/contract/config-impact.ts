import { z } from 'zod';

/** Maximum number of names of each kind that an impact lists. */
export const IMPACT_NAMES_MAX = 100;

const namesSchema = z.object({
  count: z.number().int(),
  names: z.array(z.string()).describe('the first hundred'),
});

/** Effect of a new configuration on what runs now. */
export const configImpactSchema = z.object({
  added: namesSchema.describe('streams that begin'),
  removed: namesSchema.describe('streams that end'),
  restarted: namesSchema.describe('streams that are interrupted'),
  updated: namesSchema.describe('streams that go on with new settings'),
  prefixes: namesSchema.describe('live prefixes and templates that are added, changed or removed'),
  viewers: z.number().int().describe('viewers of streams that end or are interrupted'),
  publishers: z.number().int().describe('encoders that are disconnected'),
  ports_opened: z.array(z.string()).describe('such as `rtmp 1935`'),
  ports_closed: z.array(z.string()),
  settings: z.array(z.string()).describe('settings of the server that change, by the names of their directives'),
  is_reordered: z.boolean().describe('whether the streams stand in another order'),
});
export type ConfigImpact = z.infer<typeof configImpactSchema>;
