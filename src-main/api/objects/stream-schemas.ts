import { z } from 'zod';
import { READ_ONLY } from '../../../src-preload/contract/api/api-parts.ts';
import { streamFactsSchema } from '../../../src-preload/contract/api/stream-object.ts';
import { objectShape } from '../../config/schema/object-shape.ts';
import { SETTINGS_OF_STREAM, SETTINGS_OF_TEMPLATE } from '../../config/schema/stream-settings.ts';

/** Stream in the collection API: its effective configuration, the fields set on the stream itself, and its state. */
export const streamObjectSchema = z.object({
  ...objectShape(SETTINGS_OF_STREAM, ['position']),
  ...streamFactsSchema.shape,
});

/** Template: named settings for streams that refer to it and for streams published under its prefixes. */
export const templateObjectSchema = z.object({
  name: z.string().meta({ ...READ_ONLY, description: 'unique; the last part of its address' }),
  ...objectShape(SETTINGS_OF_TEMPLATE, ['position', 'prefixes']),
});
