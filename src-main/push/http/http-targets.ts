import type { Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { OpenPushTarget } from '../target/push-target.ts';
import { readHttpAddress } from './http-address.ts';
import { TsHttpTarget, type HttpTargetOptions } from './ts-http-target.ts';

export interface HttpTargetsOptions extends Omit<HttpTargetOptions, 'address'> {
  readonly streamName: string;
}

/** Function that opens a target by HTTP, or the reason why its address is invalid. */
export function httpTarget(text: string, { streamName, ...options }: HttpTargetsOptions): OpenPushTarget | Explained {
  const address = readHttpAddress(text, streamName);
  if (!('url' in address)) return address;
  return (port) => new TsHttpTarget({ ...options, address }, port);
}
