import type { PushTransmissionObject } from '../../src-preload/contract/api/push-object.ts';
import { maskExplained } from '../lib/mask-secrets.ts';
import type { PushNotice } from '../push/push-spec.ts';

/** Storage of the transmissions of pushes. */
export interface TransmissionLog {
  /** Adds a transmission, or replaces the one of the stream with the same address and start. */
  put(stream: string, transmission: PushTransmissionObject): void;
  /** Transmissions of a stream, newest first. */
  list(stream: string): readonly PushTransmissionObject[];
}

/** Log without a database: it stores nothing. */
export const NO_TRANSMISSIONS: TransmissionLog = { put: () => undefined, list: () => [] };

/** Row of a reported transmission. */
export function transmissionObject({
  url,
  transmission: { startedMs, endedMs, hasSent, bytes, tries, end },
}: Extract<PushNotice, { readonly transmission: unknown }>): PushTransmissionObject {
  return {
    url,
    started_at: startedMs,
    ended_at: endedMs,
    has_sent: hasSent,
    bytes,
    tries,
    code: end?.code ?? null,
    detail: null,
    ...(end ? maskExplained(end) : {}),
  };
}
