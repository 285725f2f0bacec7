import type { PushTransmissionObject } from '../../src-preload/contract/api/push-object.ts';
import { maskExplained } from '../lib/mask-secrets.ts';
import type { PushNotice } from '../push/push-spec.ts';

/** Storage of the transmissions of pushes. */
export interface TransmissionLog {
  /**
   * Adds a transmission, or replaces the one of the stream with the same target and start.
   * @param target id of the address with its key
   */
  put(stream: string, target: string, transmission: PushTransmissionObject): void;
  /** Transmissions of a stream, newest first. @param target id of an address; default: all */
  list(stream: string, target?: string): readonly PushTransmissionObject[];
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
