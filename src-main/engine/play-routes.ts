import { MessageChannel } from 'node:worker_threads';
import type { PlayRequest } from '../ingest/rtmp/play-port.ts';
import type { InputEnd } from '../ingest/input.ts';
import type { Call } from '../lib/channel/calls.ts';
import type { MediaWorker } from './media-worker.ts';
import type { PlayAnswer, PlayerBytes, StreamSpec } from './messages.ts';

/** A viewer that plays over RTMP, on the server thread. */
export interface RtmpViewer {
  /** Name of the stream. */
  readonly name: string;
  sent(bytes: number): void;
  /** Called once, when the player has left. */
  left(): void;
}

/** Decides about players. @returns the viewer, or the refusal */
export type DecidePlay = (
  request: PlayRequest,
  player: { close(end: InputEnd): void },
) => Promise<RtmpViewer | InputEnd>;

/** Thread of a stream, and its specification. */
interface PlayedHome {
  readonly stream: Pick<StreamSpec, 'name' | 'prepush'>;
  readonly worker: MediaWorker;
}

/**
 * RTMP players of all media threads, on the server thread: their viewers, and the relays of streams to threads that have players
 * but do not run the stream.
 */
export class PlayRoutes {
  /** Number of relays since the start. */
  relays = 0;
  readonly #decide: DecidePlay;
  readonly #homeOf: (name: string) => PlayedHome | undefined;
  readonly #viewers = new Map<MediaWorker, Map<number, RtmpViewer>>();
  /** Threads with players, by stream. */
  readonly #needed = new Map<string, Set<MediaWorker>>();

  constructor(decide: DecidePlay, homeOf: (name: string) => PlayedHome | undefined) {
    this.#decide = decide;
    this.#homeOf = homeOf;
  }

  /** Answers a player of a thread. */
  async play(
    worker: MediaWorker,
    { player, ...request }: PlayRequest & { player: number },
    call: Call<PlayAnswer>,
  ): Promise<void> {
    const viewer = await this.#decide(request, {
      close: (end) => worker.channel.emit('close-player', { player, end }),
    });
    if ('code' in viewer) {
      call.answer({ accepted: false, ...viewer });
      return;
    }
    if (worker.isDead || call.signal.aborted) {
      viewer.left();
      return;
    }
    const viewers = this.#viewers.get(worker) ?? new Map<number, RtmpViewer>();
    this.#viewers.set(worker, viewers.set(player, viewer));
    call.answer({ accepted: true, name: viewer.name });
  }

  /** Counts bytes that a thread has sent. */
  sent(worker: MediaWorker, counts: readonly PlayerBytes[]): void {
    const viewers = this.#viewers.get(worker);
    for (const { player, bytes } of counts) viewers?.get(player)?.sent(bytes);
  }

  /** Ends the viewer of a player that has left. */
  left(worker: MediaWorker, { player, bytes }: PlayerBytes): void {
    const viewers = this.#viewers.get(worker);
    const viewer = viewers?.get(player);
    viewers?.delete(player);
    if (bytes > 0) viewer?.sent(bytes);
    viewer?.left();
  }

  /** A thread has its first player of a stream, or none any more. */
  need(worker: MediaWorker, name: string, isNeeded: boolean): void {
    const workers = this.#needed.get(name) ?? new Set();
    if (isNeeded) {
      this.#needed.set(name, workers.add(worker));
      const home = this.#homeOf(name);
      if (home) this.#connect(home, worker);
    } else if (workers.delete(worker) && workers.size === 0) this.#needed.delete(name);
  }

  /** Connects a stream that was assigned to a thread to its players on other threads. */
  opened(home: PlayedHome): void {
    for (const worker of this.#needed.get(home.stream.name) ?? []) this.#connect(home, worker);
  }

  /** Ends the viewers of a dead thread. */
  lose(worker: MediaWorker): void {
    const viewers = this.#viewers.get(worker);
    this.#viewers.delete(worker);
    for (const workers of this.#needed.values()) workers.delete(worker);
    for (const viewer of viewers?.values() ?? []) viewer.left();
  }

  #connect({ stream: { name, prepush }, worker: home }: PlayedHome, worker: MediaWorker): void {
    if (home === worker || home.isDead) return;
    this.relays++;
    const { port1, port2 } = new MessageChannel();
    const giveUp = (): void => {
      port1.close();
      port2.close();
    };
    const taken = { name, relay: port2, ...(prepush === undefined ? {} : { prepush }) };
    home.channel.call('send-played', { name, relay: port1 }, { transfer: [port1] }).catch(giveUp);
    worker.channel.call('take-played', taken, { transfer: [port2] }).catch(giveUp);
  }
}
