import type { Log } from '../lib/log.ts';
import type { OpenFiles } from './open-files.ts';

/** Connections of one kind of port. */
export interface ConnectionPort {
  /** Number of open connections. */
  readonly total: number;
  /** True if the maximum is reached, so that the next connection may be refused. */
  readonly isFull: boolean;
  /** Sets the maximum number of connections; it replaces the configured one. */
  allow(limit: number): void;
}

/** Configured numbers of connections; 0 if nothing listens for them. */
export interface ConnectionCounts {
  readonly http: number;
  readonly rtmp: number;
}

/**
 * Maximum share of the process's file handles for connections. Also their minimum share of the handles that are not in
 * other use.
 */
const HANDLE_SHARE = 0.85;
const MIN_SHARE = 0.5;
/** Share of RTMP encoders in the connections if there are not enough handles for all. */
const RTMP_SHARE = 0.25;

/**
 * Number of connections of each kind that the file handles allow: in total never more than there are free handles, but
 * at least one of each requested kind.
 *
 * @param otherHandles number of handles in other use
 */
export function shareHandles(limit: number, otherHandles: number, demand: ConnectionCounts): ConnectionCounts {
  const all = Math.floor(Math.max(limit * HANDLE_SHARE - otherHandles, (limit - otherHandles) * MIN_SHARE));
  const ofRtmp = Math.max(Math.floor(all * RTMP_SHARE), all - demand.http);
  const rtmp = Math.min(demand.rtmp, Math.max(1, ofRtmp));
  return { http: Math.min(demand.http, Math.max(1, all - rtmp)), rtmp };
}

/**
 * Divides the file handles of the process among its ports, so that no flood of connections takes the last one. Logs if
 * there are fewer than configured.
 */
export class HandleShares {
  readonly #log: Log;
  readonly #ports: () => { readonly http: ConnectionPort; readonly rtmp: ConnectionPort };
  #demand: ConnectionCounts = { http: 0, rtmp: 0 };
  #files: OpenFiles | undefined;
  /** True while the handles suffice, or before the first measurement. */
  #isEnough = true;

  constructor(log: Log, ports: () => { readonly http: ConnectionPort; readonly rtmp: ConnectionPort }) {
    this.#log = log;
    this.#ports = ports;
  }

  /** Applies the configured numbers of connections. */
  apply(demand: ConnectionCounts): void {
    this.#demand = demand;
    this.#share();
  }

  /** Applies the measured number of open files and connections of the process. */
  measured(files: OpenFiles): void {
    this.#files = files;
    this.#share();
  }

  #share(): void {
    if (!this.#files) return;
    const { count, limit } = this.#files;
    const { http, rtmp } = this.#ports();
    const allowed = shareHandles(limit, Math.max(0, count - http.total - rtmp.total), this.#demand);
    http.allow(allowed.http);
    rtmp.allow(allowed.rtmp);
    const isEnough = allowed.http >= this.#demand.http && allowed.rtmp >= this.#demand.rtmp;
    if (this.#isEnough && !isEnough)
      this.#log.info('the limit of open files allows fewer connections of viewers and encoders than configured', {
        ...allowed,
        limit,
        advice: 'if you need more, raise the limit (ulimit -n, LimitNOFILE)',
      });
    this.#isEnough = isEnough;
  }
}
