import { z } from 'zod';
import { READ_ONLY } from './api-parts.ts';
import { streamSettingsShape } from './stream-settings-object.ts';

/** Template: named settings for streams that refer to it and for streams published under its prefixes. */
export const templateObjectSchema = z.object({
  name: z.string().meta({ ...READ_ONLY, description: 'unique; the last part of its address' }),
  ...streamSettingsShape,
  prefixes: z.array(z.string()).describe('name prefixes under which encoders may publish'),
});
