import { mayConnect, type ConnectionLimits } from '../../lib/connection-limits.ts';

/** Log line of FFmpeg before it connects to an address (libavformat, network.c). */
const ATTEMPT = /Starting connection attempt to (\S+) port (\d+)/;

/**
 * Watches the log of FFmpeg for its connections, which RTSP redirects may change, and ends reading if one is not
 * allowed.
 */
export class ConnectionWatch {
  readonly #limits: ConnectionLimits;
  readonly #refuse: () => void;
  /** Refused address. */
  refused: string | undefined;

  /** @param refuse called for a forbidden address */
  constructor(limits: ConnectionLimits, refuse: () => void) {
    this.#limits = limits;
    this.#refuse = refuse;
  }

  /** Checks a line of the log. */
  read(line: string): void {
    const [, address, port] = ATTEMPT.exec(line) ?? [];
    if (address === undefined || mayConnect(this.#limits, address, Number(port))) return;
    this.refused ??= `${address} port ${String(port)}`;
    this.#refuse();
  }
}
