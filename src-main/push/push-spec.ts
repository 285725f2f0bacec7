import type { DatagramSettings } from './mpegts/datagram-targets.ts';
import type { PushPhase, PushRules } from './push-state.ts';
import type { PushFault } from './target/push-target.ts';
import type { PushTransmission } from './transmissions.ts';

/** A push as configured. */
export interface PushSpec extends PushRules {
  /** Index in the configuration of the stream. */
  readonly index: number;
  /** Address of the target, with its key. */
  readonly url: string;
  /** Ids of the tracks to send; absent for all. */
  readonly tracks?: readonly string[];
  /** Maximum wait for an answer, and for progress of a target that accepts no data, in milliseconds. */
  readonly timeoutMs: number;
  /** Settings of a target that takes datagrams. */
  readonly datagrams?: DatagramSettings;
}

/** State and figures of a push. */
export interface PushStatus {
  readonly index: number;
  /** Address of the target without its key. */
  readonly url: string;
  readonly phase: PushPhase;
  /** Start of the phase, in epoch milliseconds. */
  readonly sinceMs: number;
  readonly tries: number;
  /** Last fault; absent if there was none, or if the push has run steadily since. */
  readonly fault?: PushFault;
  /** Bytes sent on all connections. */
  readonly bytes: number;
  /** Bytes that the far side has acknowledged; null if it acknowledges none. */
  readonly acknowledgedBytes: number | null;
  /** Bits per second. */
  readonly bitrate: number;
  /** Age of the oldest data that the target has not taken, in milliseconds. */
  readonly lagMs: number;
  /** Number of units dropped because the target was too slow. */
  readonly droppedUnits: number;
  /** Ids of the tracks that are sent. */
  readonly tracks: readonly string[];
}

/** Event of a push: a name of the event catalogue, with its facts. */
export type PushReport =
  | { readonly event: 'push_opened' | 'push_connected' | 'push_started' | 'push_restored' | 'push_reconfigured' }
  /** Bytes sent so far. */
  | { readonly event: 'push_updated'; readonly bytes: number }
  | ({ readonly event: 'push_blocked' } & PushFault)
  | ({ readonly event: 'push_closed'; readonly bytes: number } & PushFault);

/** Report of an event of a push. */
export type PushEventNotice = PushReport & {
  /** Address of the target without its key. */
  readonly url: string;
};

/** Report of a push: an event, or a transmission that runs steadily or has ended. */
export type PushNotice =
  | PushEventNotice
  | {
      readonly event?: never;
      /** Address of the target without its key. */
      readonly url: string;
      /** Address with its key, which is neither shown nor stored. */
      readonly address: string;
      readonly transmission: PushTransmission;
    };

/** Name of an event of a push. */
export type PushEvent = PushReport['event'];
