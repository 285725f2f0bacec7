import type { MessagePort } from 'node:worker_threads';
import type { InputEnd } from '../ingest/input.ts';
import type { Prepush } from '../stream/unit-cache.ts';
import { PlayOutput } from '../ingest/rtmp/play-output.ts';
import type { PlayDecision, PlayedStream, PlayerPort, PlayRequest } from '../ingest/rtmp/play-port.ts';
import type { Channel } from '../lib/channel/channel.ts';
import type { Clock } from '../lib/clock.ts';
import type { StreamReader } from '../stream/stream-hub.ts';
import type { FromMediaThread, PlayerBytes, ToMediaThread } from './messages.ts';
import { playRelay, takePlayRelay } from './play-relay.ts';

/** A stream for the RTMP players of this thread, and for other threads with players. */
interface Played {
  readonly output: PlayOutput;
  /** Number of runs of the stream on this thread: usually 1, and 0 if it runs on another thread. */
  runs: number;
  players: number;
  /** Ends the relay from the thread of the stream. */
  stopRelay?: (() => void) | undefined;
}

interface Player {
  readonly close: (end: InputEnd) => void;
  /** Bytes since the last report. */
  bytes: number;
}

/** RTMP players that are connected to a media thread, and the streams that they play. */
export class Players implements PlayerPort {
  readonly #clock: Clock;
  readonly #channel: Pick<Channel<FromMediaThread, ToMediaThread>, 'call' | 'emit'>;
  readonly #streams = new Map<string, Played>();
  readonly #players = new Map<number, Player>();
  #nextPlayer = 1;

  constructor(clock: Clock, channel: Pick<Channel<FromMediaThread, ToMediaThread>, 'call' | 'emit'>) {
    this.#clock = clock;
    this.#channel = channel;
  }

  /** Asks the server thread whether a player that is connected to this thread may play. */
  async play(request: PlayRequest, connection: { close(end: InputEnd): void }): Promise<PlayDecision> {
    const id = this.#nextPlayer++;
    const player: Player = { close: (end) => connection.close(end), bytes: 0 };
    this.#players.set(id, player);
    let answer;
    try {
      answer = await this.#channel.call('play', { ...request, player: id });
    } catch (error) {
      this.#players.delete(id);
      throw error;
    }
    if (answer.accepted) return { accepted: true, stream: this.#played(answer.name, id, player) };
    this.#players.delete(id);
    return answer;
  }

  /** Disconnects a player. */
  close(id: number, end: InputEnd): void {
    this.#players.get(id)?.close(end);
  }

  /** Reports the bytes sent to players. Called about once a second. */
  report(): void {
    const sent: PlayerBytes[] = [];
    for (const [player, state] of this.#players) {
      if (state.bytes > 0) sent.push({ player, bytes: state.bytes });
      state.bytes = 0;
    }
    if (sent.length > 0) this.#channel.emit('played-bytes', sent);
  }

  /** Reader for a run of a stream on this thread. */
  runStarted(name: string, prepush: Prepush | undefined): StreamReader {
    const played = this.#of(name);
    played.runs++;
    played.stopRelay?.();
    played.stopRelay = undefined;
    played.output.prepush = prepush;
    return played.output;
  }

  /** Called when a run has ended. */
  runEnded(name: string): void {
    const played = this.#of(name);
    played.runs--;
    this.#drop(name, played);
  }

  /** Sends a stream to the players on another thread. */
  sendTo(name: string, port: MessagePort): void {
    const played = this.#of(name);
    let stop = (): void => {};
    const relay = playRelay(port, this.#clock, () => {
      stop();
    });
    stop = played.output.copyTo(relay);
  }

  /** Takes a stream from another thread. */
  takeFrom(name: string, prepush: Prepush | undefined, port: MessagePort): void {
    const played = this.#streams.get(name);
    if (!played || played.players === 0 || played.runs > 0) {
      port.close();
      return;
    }
    played.stopRelay?.();
    played.output.prepush = prepush;
    played.stopRelay = takePlayRelay(port, this.#clock, played.output);
  }

  #played(name: string, id: number, player: Player): PlayedStream {
    const played = this.#of(name);
    let leave = (): void => {};
    played.players++;
    if (played.players === 1) this.#channel.emit('need-played', { name, isNeeded: true });
    return {
      join: (receiver) => {
        leave = played.output.join(receiver);
      },
      sent: (bytes) => {
        player.bytes += bytes;
      },
      left: () => {
        leave();
        this.#players.delete(id);
        this.#channel.emit('player-left', { player: id, bytes: player.bytes });
        played.players--;
        if (played.players > 0) return;
        this.#channel.emit('need-played', { name, isNeeded: false });
        played.stopRelay?.();
        played.stopRelay = undefined;
        this.#drop(name, played);
      },
    };
  }

  #of(name: string): Played {
    let played = this.#streams.get(name);
    if (!played) {
      played = { output: new PlayOutput(), runs: 0, players: 0 };
      this.#streams.set(name, played);
    }
    return played;
  }

  #drop(name: string, played: Played): void {
    if (played.runs === 0 && played.players === 0 && this.#streams.get(name) === played) this.#streams.delete(name);
  }
}
