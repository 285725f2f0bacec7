import type { PushStateObject } from '../../src-preload/contract/api/push-object.ts';
import type { StreamSettings } from '../config/schema/config.ts';
import { PUSH_RETRY_MS, PUSH_TIMEOUT_MS } from '../config/schema/push-setting.ts';
import type { StreamMeasurements } from '../engine/messages.ts';
import type { PushSpec, PushStatus } from '../push/push-spec.ts';
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
            ...(push.tracks ? { tracks: push.tracks } : {}),
          },
        ],
  );
}

/** Stream of pushes: its settings, and its last measurement. */
interface PushedStream {
  readonly settings: Pick<StreamSettings, 'pushes'>;
  readonly status: Pick<StreamMeasurements, 'pushes'> | undefined;
}

/** States of all pushes of a stream, in the order of the configuration. */
export function pushStates({ settings, status }: PushedStream): PushStateObject[] {
  return settings.pushes.map(({ url }, index) => {
    const shownUrl = shownPushUrl(url);
    // The measurements may be older than the settings.
    const push = status?.pushes?.find((other) => other.index === index && other.url === shownUrl);
    return pushState(index, shownUrl, push);
  });
}

function pushState(index: number, url: string, push: PushStatus | undefined): PushStateObject {
  return {
    index,
    url,
    state: push?.phase ?? 'disabled',
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
