import { createHmac, randomBytes } from 'node:crypto';
import type { PushLampObject, PushStateObject } from '../../src-preload/contract/api/push-object.ts';
import type { StreamSettings } from '../config/schema/config.ts';
import { PUSH_RETRY_MS, PUSH_TIMEOUT_MS } from '../config/schema/push-setting.ts';
import type { StreamMeasurements } from '../engine/messages.ts';
import { isDatagramUrl, type DatagramSettings } from '../push/mpegts/datagram-targets.ts';
import type { PushSpec, PushStatus } from '../push/push-spec.ts';
import { phaseOutside } from '../push/push-state.ts';
import { shownPushUrl } from '../push/push-targets.ts';

/** Enabled pushes of a stream, for its media thread. */
export function pushSpecs({ pushes, isDisabled }: Pick<StreamSettings, 'pushes' | 'isDisabled'>): PushSpec[] {
  if (isDisabled) return [];
  return pushes.flatMap((push, index) =>
    push.isDisabled === true
      ? []
      : [
          {
            index,
            url: push.url,
            retryMs: push.retryTimeoutMs ?? PUSH_RETRY_MS,
            retryLimit: push.retryLimit,
            timeoutMs: push.timeoutMs ?? PUSH_TIMEOUT_MS,
            ...(push.startAtMs === null ? {} : { startAtMs: push.startAtMs }),
            ...(push.stopAtMs === null ? {} : { stopAtMs: push.stopAtMs }),
            ...(push.tracks ? { tracks: push.tracks } : {}),
            ...(isDatagramUrl(push.url) ? { datagrams: datagramSettings(push) } : {}),
          },
        ],
  );
}

/** Whether a stream should be sent somewhere at a time. @param nowMs epoch milliseconds */
export function hasDuePush({ pushes }: Pick<StreamSettings, 'pushes'>, nowMs: number): boolean {
  return pushes.some((push) => push.isDisabled !== true && phaseOutside(push, nowMs) === undefined);
}

/** Settings of a push by UDP or RTP. */
function datagramSettings(push: StreamSettings['pushes'][number]): DatagramSettings {
  const { bitrateKbit, isLooped, isStandby, networkInterface, pidAudio, pidPmt, pidVideo, programNumber, ttl } = push;
  const pids = written({ pmt: pidPmt, video: pidVideo, audio: pidAudio });
  return {
    ...written({ bitrateKbit, isLooped, isStandby, networkInterface, programNumber, ttl }),
    ...(Object.keys(pids).length > 0 ? { pids } : {}),
  };
}

/** Options that are written. */
function written<T extends object>(options: T): { [K in keyof T]?: NonNullable<T[K]> } {
  // Only the null values are left out.
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

/** Stream of pushes: its settings, and its last measurement. */
interface PushedStream {
  readonly settings: Pick<StreamSettings, 'pushes' | 'isDisabled'>;
  readonly status: Pick<StreamMeasurements, 'pushes'> | undefined;
}

/** Settings that identify a push in its stream. */
export type IdentifiedPush = Pick<StreamSettings['pushes'][number], 'url' | 'tracks'>;

/** Bytes of an id. */
const ID_BYTES = 12;

/** Ids of pushes. They depend on a key, so that the stream key cannot be found by trying. */
export class PushIds {
  readonly #digestOf: ((text: Uint8Array) => Uint8Array) | undefined;
  readonly #ownKey = randomBytes(32);

  /** @param digestOf keyed digest of a text; default: with a random key */
  constructor(digestOf?: (text: Uint8Array) => Uint8Array) {
    this.#digestOf = digestOf;
  }

  of(streamName: string, { url, tracks }: IdentifiedPush): string {
    return this.#id('push', streamName, url, tracks);
  }

  /** Id of an address, which pushes with other tracks share. */
  ofTarget(streamName: string, url: string): string {
    return this.#id('push target', streamName, url);
  }

  #id(...parts: readonly unknown[]): string {
    const digest = this.#digest(Buffer.from(JSON.stringify(parts)));
    return Buffer.from(digest.subarray(0, ID_BYTES)).toString('base64url');
  }

  #digest(text: Uint8Array): Uint8Array {
    try {
      if (this.#digestOf) return this.#digestOf(text);
    } catch {
      // The key file is lost. Pushes can be listed and changed with ids that change at the next start.
    }
    return createHmac('sha256', this.#ownKey).update(text).digest();
  }
}

/** States of all pushes of a stream at a time, in the order of the configuration. */
export function pushStates(
  { settings, status }: PushedStream,
  { nowMs }: { readonly nowMs: number },
): Omit<PushStateObject, 'id'>[] {
  return settings.pushes.map(({ url, ...plan }, index) => {
    const shownUrl = shownPushUrl(url);
    // The measurements may be older than the settings.
    const push = status?.pushes?.find((other) => other.index === index && other.url === shownUrl);
    const isOff = settings.isDisabled || plan.isDisabled === true;
    // The pushes of a stream that is not open wait for their time, or for frames.
    const state = isOff ? 'disabled' : (push?.phase ?? phaseOutside(plan, nowMs) ?? 'pending');
    return { ...pushState(index, shownUrl, push), state, ...planOf(plan) };
  });
}

/** States of all pushes of a stream for their lamps; undefined without pushes. */
export function pushLamps(stream: PushedStream, at: { readonly nowMs: number }): PushLampObject[] | undefined {
  if (stream.settings.pushes.length === 0) return undefined;
  return pushStates(stream, at).map(({ url, state, code, bytes_acknowledged, lag, start_at }) => ({
    url,
    state,
    code,
    bytes_acknowledged,
    lag,
    start_at,
  }));
}

function planOf({
  isDisabled,
  startAtMs,
  stopAtMs,
}: Omit<StreamSettings['pushes'][number], 'url'>): Pick<PushStateObject, 'start_at' | 'stop_at'> {
  return isDisabled === true ? { start_at: null, stop_at: null } : { start_at: startAtMs, stop_at: stopAtMs };
}

function pushState(
  index: number,
  url: string,
  push: PushStatus | undefined,
): Omit<PushStateObject, 'id' | 'state' | 'start_at' | 'stop_at'> {
  return {
    index,
    url,
    code: push?.fault?.code ?? null,
    detail: push?.fault?.detail ?? null,
    ...(push?.fault?.explanation ? { explanation: push.fault.explanation } : {}),
    since: push?.sinceMs ?? null,
    tries: push?.tries ?? 0,
    bytes: push?.bytes ?? 0,
    bytes_acknowledged: push?.acknowledgedBytes ?? null,
    bitrate: Math.round((push?.bitrate ?? 0) / 1000),
    lag: Math.round(push?.lagMs ?? 0),
    dropped: push?.droppedUnits ?? 0,
    tracks: [...(push?.tracks ?? [])],
  };
}
