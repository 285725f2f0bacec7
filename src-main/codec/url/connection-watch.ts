import { mayConnect, type ConnectionLimits } from '../../lib/connection-limits.ts';

/** What FFmpeg says of each address before it connects to it (libavformat, network.c). */
const ATTEMPT = /Starting connection attempt to (\S+) port (\d+)/;

/** Hears from the log of FFmpeg where it connects to, which redirects of RTSP may change, and ends what leads where the input may not. */
export class ConnectionWatch {
  readonly #limits: ConnectionLimits;
  readonly #refuse: () => void;
  /** The address that was refused. */
  refused: string | undefined;

  /** @param refuse called for an address that may not be asked */
  constructor(limits: ConnectionLimits, refuse: () => void) {
    this.#limits = limits;
    this.#refuse = refuse;
  }

  /** Takes a line of the log. */
  hear(line: string): void {
    const [, address, port] = ATTEMPT.exec(line) ?? [];
    if (address === undefined || mayConnect(this.#limits, address, Number(port))) return;
    this.refused ??= `${address} port ${String(port)}`;
    this.#refuse();
  }
}
