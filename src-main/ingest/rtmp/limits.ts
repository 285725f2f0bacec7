/** Limits of each connection by RTMP; how many there may be is in `ConnectionCount`. */
export interface RtmpLimits {
  /** From the connect to the end of the handshake. Default 5000. */
  readonly handshakeTimeoutMs: number;
  /** From the connect to the publish command. Default 10 000. */
  readonly publishTimeoutMs: number;
  /** From the publish command to the answer of the gate. Default 10 000. */
  readonly decisionTimeoutMs: number;
  /** Without a single byte from a publisher. Default 20 000; ends the input with `input_stalled`. */
  readonly idleTimeoutMs: number;
  /** How long a refused or finished encoder may take to close its side. Default 2000. */
  readonly lingerMs: number;
  /** Largest message of a connection. Default 16 MiB. */
  readonly maxMessageBytes: number;
  /** Memory of a connection for half received messages. Default 32 MiB. */
  readonly maxGatheredBytes: number;
  /** The same before a publisher was accepted: room for commands. Default 1 MiB. */
  readonly maxEarlyBytes: number;
  /** Media of a connection that comes before the gate has answered. Default 4 MiB. */
  readonly maxHeldBytes: number;
  /** Answers that a connection does not read. Default 64 KiB. */
  readonly maxUnsentBytes: number;
}

/** The limits that are in force where the options say nothing. */
export const DEFAULT_RTMP_LIMITS: RtmpLimits = {
  handshakeTimeoutMs: 5000,
  publishTimeoutMs: 10_000,
  decisionTimeoutMs: 10_000,
  idleTimeoutMs: 20_000,
  lingerMs: 2000,
  maxMessageBytes: 16 * 1024 * 1024,
  maxGatheredBytes: 32 * 1024 * 1024,
  maxEarlyBytes: 1024 * 1024,
  maxHeldBytes: 4 * 1024 * 1024,
  maxUnsentBytes: 64 * 1024,
};
