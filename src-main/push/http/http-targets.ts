import type { Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { OpenPushTarget } from '../target/push-target.ts';
import { HlsPlaylist } from './hls-playlist.ts';
import { HlsTarget } from './hls-target.ts';
import { readHttpAddress, type HttpTargetOptions } from './http-address.ts';
import { TsHttpTarget } from './ts-http-target.ts';

export interface HttpTargetsOptions extends Omit<HttpTargetOptions, 'address'> {
  readonly streamName: string;
}

/** A push to a target by HTTP. */
interface HttpPush {
  readonly url: string;
  /** Maximum wait for an answer in milliseconds. */
  readonly timeoutMs: number;
}

/** Function that opens a target by HTTP, or the reason why its address is invalid. */
export function httpTarget(
  { url, timeoutMs }: HttpPush,
  { streamName, ...options }: HttpTargetsOptions,
): OpenPushTarget | Explained {
  const address = readHttpAddress(url, streamName);
  if (!('url' in address)) return address;
  if (!address.isHls) return (port) => new TsHttpTarget({ ...options, address }, port);
  const playlist = new HlsPlaylist(address.url.pathname.split('/').at(-1) ?? '', options.clock.now());
  return (port) => new HlsTarget({ ...options, address, playlist, timeoutMs }, port);
}
