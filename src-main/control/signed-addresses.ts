import type { z } from 'zod';
import type { SignedAddress, signedAddressRequestSchema } from '../../src-preload/contract/api/signed-address.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { findTemplate, type Config } from '../config/schema/config.ts';
import type { Clock } from '../lib/clock.ts';
import { signAddress, signingKeys } from '../sessions/signed-address.ts';
import { STATIC_APPLICATION } from '../streams/publish-policy.ts';

export interface SignedAddressContext {
  readonly clock: Pick<Clock, 'now'>;
  /** Addresses of the server. */
  readonly describe: () => { readonly base_url: string; readonly rtmp_url: string | null };
  readonly configuration: { readonly config: Config };
}

/** Creates a signed address of a stream with the newest key. Raises `stream_not_found`, `signing_key_missing` and `bad_value`. */
export function makeSignedAddress(
  { configuration: { config }, clock, describe }: SignedAddressContext,
  name: string,
  { use, expires_in: seconds, ip = '' }: z.output<typeof signedAddressRequestSchema>,
): SignedAddress {
  const settings = config.streams.get(name) ?? findTemplate(config, name);
  if (!settings) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
  const streamKey = use === 'play' ? settings.playKey : settings.publishKey;
  const [key] = signingKeys(streamKey ?? (use === 'play' ? config.playKey : config.publishKey));
  if (key === undefined) throw new AirdeskError('signing_key_missing', `The stream ${name} has no ${use}_key`);
  const expires = Math.floor(clock.now() / 1000) + seconds;
  const query = `expires=${expires}&sig=${signAddress({ use, name, ip }, String(expires), key)}`;
  const { base_url: baseUrl, rtmp_url: rtmpUrl } = describe();
  const urls =
    use === 'play'
      ? [`${baseUrl}/${name}/index.m3u8?${query}`, `${baseUrl}/${name}/embed.html?${query}`]
      : [
          ...(rtmpUrl === null
            ? []
            : [`${rtmpUrl}/${config.streams.has(name) ? `${STATIC_APPLICATION}/` : ''}${name}?${query}`]),
          `${baseUrl}/${name}/mpegts?${query}`,
        ];
  return { use, name, expires, query, urls };
}
