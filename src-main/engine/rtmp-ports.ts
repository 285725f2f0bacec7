import type { ByteBudget } from '../ingest/byte-budget.ts';
import type { PublisherPort } from '../ingest/input.ts';
import type { RtmpLimits } from '../ingest/rtmp/limits.ts';
import { RtmpServer, type CertificatePem } from '../ingest/rtmp/rtmp-server.ts';
import type { Clock } from '../lib/clock.ts';
import type { FromMediaThread, ToMediaThread } from './messages.ts';
import { messageOf } from '../lib/error-message.ts';

/** The RTMP servers of a media thread, one for each port. */
export class RtmpPorts {
  readonly #gate: PublisherPort;
  readonly #clock: Clock;
  readonly #budget: ByteBudget;
  readonly #post: (message: FromMediaThread) => void;
  readonly #limits: Partial<RtmpLimits>;
  readonly #servers = new Map<number, RtmpServer>();
  /** What servers refused that are closed. */
  #refusedBefore = 0;

  /** @param limits those of each server that differ from the defaults */
  constructor(
    gate: PublisherPort,
    clock: Clock,
    budget: ByteBudget,
    post: (message: FromMediaThread) => void,
    limits: Partial<RtmpLimits> = {},
  ) {
    this.#limits = limits;
    this.#budget = budget;
    this.#gate = gate;
    this.#clock = clock;
    this.#post = post;
  }

  async listen({
    listener,
    host,
    port,
    reusePort,
    tls,
  }: Extract<ToMediaThread, { kind: 'rtmp-listen' }>): Promise<void> {
    const server =
      this.#servers.get(listener) ??
      new RtmpServer({
        ...(host === undefined ? {} : { host }),
        port,
        reusePort,
        ...(tls === undefined ? {} : { tls }),
        clock: this.#clock,
        gate: this.#gate,
        budget: this.#budget,
        limits: this.#limits,
      });
    if (!this.#servers.has(listener)) {
      this.#servers.set(listener, server);
      try {
        await server.start();
      } catch (error) {
        this.#servers.delete(listener);
        this.#post({ kind: 'rtmp-failed', listener, detail: messageOf(error) });
        return;
      }
    }
    this.#post({ kind: 'rtmp-listening', listener, port: server.port });
  }

  /** Connections that were closed at once, because there were too many. */
  get refused(): number {
    return [...this.#servers.values()].reduce((sum, { counters }) => sum + counters.refused, this.#refusedBefore);
  }

  /** Takes another certificate for the next handshakes of a listener. */
  renew(listener: number, tls: CertificatePem): void {
    this.#servers.get(listener)?.renew(tls);
  }

  async close(listener: number): Promise<void> {
    const server = this.#servers.get(listener);
    this.#servers.delete(listener);
    await server?.close();
    this.#refusedBefore += server?.counters.refused ?? 0;
    this.#post({ kind: 'rtmp-closed', listener });
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
    this.#servers.clear();
  }
}
