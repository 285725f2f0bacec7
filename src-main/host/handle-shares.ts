import type { Log } from '../lib/log.ts';
import type { OpenFiles } from './open-files.ts';

/** The connections of one kind of port. */
export interface ConnectionPort {
  /** Those that are open. */
  readonly total: number;
  /** Whether the next connection may be refused because all places are taken. */
  readonly isFull: boolean;
  /** Takes how many there may be at most, whatever is configured. */
  allow(most: number): void;
}

/** How many connections are configured; 0 where nothing listens for them. */
export interface WantedConnections {
  readonly http: number;
  readonly rtmp: number;
}

/** Share of the file handles of the process that may be open with all connections, and share of what other things leave that is theirs in any case. */
const HANDLE_SHARE = 0.85;
const LEAST_SHARE = 0.5;
/** Share of the connections that encoders have by RTMP, where there are not enough for all. */
const RTMP_SHARE = 0.25;

/** How many connections of each kind file handles allow; together never more than are free, but one of each that is wanted. @param others handles that are open for other things */
export function shareHandles(limit: number, others: number, wanted: WantedConnections): WantedConnections {
  const all = Math.floor(Math.max(limit * HANDLE_SHARE - others, (limit - others) * LEAST_SHARE));
  const ofRtmp = Math.max(Math.floor(all * RTMP_SHARE), all - wanted.http);
  const rtmp = Math.min(wanted.rtmp, Math.max(1, ofRtmp));
  return { http: Math.min(wanted.http, Math.max(1, all - rtmp)), rtmp };
}

/** Shares the file handles of the process out to its ports, so that no flood takes the last one. Says where they are fewer than configured. */
export class HandleShares {
  readonly #log: Log;
  readonly #ports: () => { readonly http: ConnectionPort; readonly rtmp: ConnectionPort };
  #wanted: WantedConnections = { http: 0, rtmp: 0 };
  #files: OpenFiles | undefined;
  /** Whether there are enough, as far as it is known. */
  #isEnough = true;

  constructor(log: Log, ports: () => { readonly http: ConnectionPort; readonly rtmp: ConnectionPort }) {
    this.#log = log;
    this.#ports = ports;
  }

  /** Takes how many connections are configured. */
  apply(wanted: WantedConnections): void {
    this.#wanted = wanted;
    this.#share();
  }

  /** Takes how many files and connections the process has open. */
  measured(files: OpenFiles): void {
    this.#files = files;
    this.#share();
  }

  #share(): void {
    if (!this.#files) return;
    const { count, limit } = this.#files;
    const { http, rtmp } = this.#ports();
    const allowed = shareHandles(limit, Math.max(0, count - http.total - rtmp.total), this.#wanted);
    http.allow(allowed.http);
    rtmp.allow(allowed.rtmp);
    const isEnough = allowed.http >= this.#wanted.http && allowed.rtmp >= this.#wanted.rtmp;
    if (this.#isEnough && !isEnough)
      this.#log.warn('file handles allow fewer connections than http_connections and rtmp_connections say', {
        ...allowed,
        limit,
        advice: 'raise the limit (ulimit -n, LimitNOFILE)',
      });
    this.#isEnough = isEnough;
  }
}
