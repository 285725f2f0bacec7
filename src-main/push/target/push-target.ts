import type { Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Track } from '../../media/track.ts';
import type { StreamUnit } from '../../stream/stream-hub.ts';

/** Reason why an attempt ended. */
export interface PushFault extends Explained {
  /** Code of the error catalogue. */
  readonly code: string;
}

/** Data that a target has not taken yet. */
export interface PushBacklog {
  /** Bytes that wait in this process. */
  readonly bytes: number;
  /** Age of the oldest waiting data at the arrival of the newest, in milliseconds. */
  readonly lagMs: number;
  /** Time of the last progress, in epoch milliseconds. */
  readonly progressMs: number;
  /** Bytes, and lag in milliseconds, above which units are dropped; default 2 MiB and 5000. */
  readonly maxBytes?: number;
  readonly maxLagMs?: number;
}

/** Connection to a target, for one attempt. It is created when the attempt starts. */
export interface PushTarget {
  /** Bytes sent on this connection, with its protocol. */
  readonly sentBytes: number;
  /** Bytes of this connection that the far side has acknowledged; null if it acknowledges none. */
  readonly acknowledgedBytes: number | null;
  readonly backlog: PushBacklog;
  /** Whether the target has confirmed media; absent if media counts as accepted when it is sent. */
  readonly isConfirmed?: boolean;
  /** Whether the target sends nothing now, because another server sends to the same group; absent: it never waits. */
  readonly isWaiting?: boolean;
  /** Reason for a lag; absent if the target takes data too slowly. */
  readonly slowness?: Explained | undefined;
  /**
   * Whether the target takes media faster than in real time, so that it starts with the stored group of pictures; absent
   * if it starts at the next random access point.
   */
  readonly catchesUp?: boolean;
  /**
   * Announces tracks, before the first unit and when they change. Called after `accepted`.
   * @param first stored unit that follows at once; absent if the next unit comes from the stream
   * @returns ids of the tracks that the target can take; units of other tracks are not sent
   */
  tracks(tracks: readonly Track[], first?: StreamUnit): ReadonlySet<string>;
  /** Sends a unit. It is never called with a backlog above the limits. */
  unit(unit: StreamUnit): void;
  /**
   * Sends a splice information section (SCTE 35), whose time is that of the stream; absent if the protocol carries none.
   * Called after `accepted`.
   */
  splice?(section: Uint8Array): void;
  /** Sends what waits for the next unit. Called some times a second. */
  flush?(): void;
  /** Ends the connection in the orderly way of the protocol. The port is not called any more. */
  close(): void;
}

/** Port from a connection to its push. */
export interface PushTargetPort {
  /** The target takes media from now on. */
  accepted(): void;
  /** The connection failed or ended; the last call. A final fault cannot change with another attempt. */
  failed(fault: PushFault, isFinal?: true): void;
}

/** Starts a connection to a target. */
export type OpenPushTarget = (port: PushTargetPort) => PushTarget;
