/** Limits of the RTMP server. All are per server unless the name says otherwise. */
export interface RtmpLimits {
  /** Connections at the same time, publishing or not. Default 2000. */
  readonly maxConnections: number;
  /** Connections from one address; loopback is not counted. Default 200. */
  readonly maxConnectionsPerAddress: number;
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
  maxConnections: 2000,
  maxConnectionsPerAddress: 200,
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
