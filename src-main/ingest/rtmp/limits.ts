/** Limits of each RTMP connection; `ConnectionCount` limits their number. */
export interface RtmpLimits {
  /** Maximum time from the connection to the end of the handshake. Default 5000. */
  readonly handshakeTimeoutMs: number;
  /** Maximum time from the connection to the publish command. Default 10 000. */
  readonly publishTimeoutMs: number;
  /** Maximum time from the publish command to the decision of the gate, which authorizes publishers. Default 10 000. */
  readonly decisionTimeoutMs: number;
  /** Maximum silence of a publisher. Default 20 000; ends the input with `input_stalled`. */
  readonly idleTimeoutMs: number;
  /** Time for a refused or finished encoder to close its connection. Default 2000. */
  readonly lingerMs: number;
  /** Maximum size of a message. Default 16 MiB. */
  readonly maxMessageBytes: number;
  /** Maximum memory of a connection for incomplete messages. Default 32 MiB. */
  readonly maxGatheredBytes: number;
  /** Maximum memory for incomplete messages before a publisher is accepted: room for commands. Default 1 MiB. */
  readonly maxEarlyBytes: number;
  /** Maximum memory for media of a connection before the gate has decided. Default 4 MiB. */
  readonly maxPendingBytes: number;
  /** Maximum unread answers of a connection. Default 64 KiB. */
  readonly maxUnsentBytes: number;
}

export const DEFAULT_RTMP_LIMITS: RtmpLimits = {
  handshakeTimeoutMs: 5000,
  publishTimeoutMs: 10_000,
  decisionTimeoutMs: 10_000,
  idleTimeoutMs: 20_000,
  lingerMs: 2000,
  maxMessageBytes: 16 * 1024 * 1024,
  maxGatheredBytes: 32 * 1024 * 1024,
  maxEarlyBytes: 1024 * 1024,
  maxPendingBytes: 4 * 1024 * 1024,
  maxUnsentBytes: 64 * 1024,
};
