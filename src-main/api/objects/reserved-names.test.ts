import { expect, it } from 'vitest';
import { RESERVED_SEGMENTS, streamNameSchema } from '../../../src-preload/contract/api/streams.ts';
import { readMediaAddress } from '../../delivery/media-address.ts';

it('reserved names without a media address cannot be names of streams', () => {
  for (const segment of RESERVED_SEGMENTS) {
    for (const name of [segment, `${segment}/x`, `${segment}x/y`])
      expect([name, streamNameSchema.safeParse(name).success]).toEqual([
        name,
        readMediaAddress(`/${name}/index.m3u8`) !== undefined && !name.startsWith('-'),
      ]);
  }
});
