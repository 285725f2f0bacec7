import { z } from 'zod';
import { READ_ONLY } from './api-parts.ts';
import { streamSettingsShape } from './stream-settings-object.ts';

/** A template: settings under a name, for streams that refer to it and for what is published under its prefixes. */
export const templateObjectSchema = z.object({
  name: z.string().meta({ ...READ_ONLY, description: 'unique; the last part of its address' }),
  ...streamSettingsShape,
  prefixes: z.array(z.string()).describe('encoders may publish under these'),
});
