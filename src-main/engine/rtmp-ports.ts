import type { ByteBudget } from '../ingest/byte-budget.ts';
import type { PublisherPort } from '../ingest/input.ts';
import type { PlayerPort } from '../ingest/rtmp/play-port.ts';
import type { ConnectionCount } from '../ingest/rtmp/connection-count.ts';
import { ReadTicks } from '../ingest/reads/read-ticks.ts';
import { RtmpServer, type CertificatePem } from '../ingest/rtmp/rtmp-server.ts';
import type { Clock } from '../lib/clock.ts';
import type { Call } from '../lib/channel/calls.ts';
import type { RtmpListener } from './messages.ts';

/** RTMP servers of a media thread, one per port. */
export class RtmpPorts {
  readonly #gate: PublisherPort;
  readonly #players: PlayerPort;
  readonly #clock: Clock;
  readonly #budget: ByteBudget;
  readonly #count: ConnectionCount;
  readonly #ticks: ReadTicks;
  readonly #servers = new Map<number, RtmpServer>();
  /** Number of connections refused by closed servers. */
  #refusedBefore = 0;

  /** @param ticks combines the reads of all connections of this thread */
  constructor(
    gate: PublisherPort,
    players: PlayerPort,
    clock: Clock,
    budget: ByteBudget,
    count: ConnectionCount,
    ticks: ReadTicks = new ReadTicks(clock),
  ) {
    this.#count = count;
    this.#budget = budget;
    this.#gate = gate;
    this.#players = players;
    this.#clock = clock;
    this.#ticks = ticks;
  }

  /** Opens a port and answers with its number; throws the reason if it cannot be opened. */
  async listen({ listener, ...address }: RtmpListener, call: Call<number>): Promise<void> {
    const existing = this.#servers.get(listener);
    const server =
      existing ??
      new RtmpServer({
        ...address,
        clock: this.#clock,
        gate: this.#gate,
        players: this.#players,
        budget: this.#budget,
        count: this.#count,
        ticks: this.#ticks,
      });
    if (!existing) {
      this.#servers.set(listener, server);
      try {
        await server.start();
      } catch (error) {
        this.#servers.delete(listener);
        throw error;
      }
    }
    // Without a waiting caller, the port would never be closed.
    if (call.signal.aborted) await this.close(listener);
    else call.answer(server.port);
  }

  /** Number of connections refused because there were too many. */
  get refused(): number {
    return [...this.#servers.values()].reduce((sum, { counters }) => sum + counters.refused, this.#refusedBefore);
  }

  /** Sets another certificate for the next handshakes of a listener. */
  renew(listener: number, tls: CertificatePem): void {
    this.#servers.get(listener)?.renew(tls);
  }

  async close(listener: number): Promise<undefined> {
    const server = this.#servers.get(listener);
    this.#servers.delete(listener);
    await server?.close();
    this.#refusedBefore += server?.counters.refused ?? 0;
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
    this.#servers.clear();
  }
}
