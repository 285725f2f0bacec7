import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { FlvCapabilities } from '../../media/containers/flv/flv-layout.ts';
import type { InputEnd } from '../input.ts';

/** Request of a player. */
export interface PlayRequest {
  /** Application and name, such as `static/cam1`. */
  readonly path: string;
  /** Query parameters of the address, such as `token`. */
  readonly query: ReadonlyMap<string, string>;
  /** Address of the player, `ip:port`. */
  readonly peer: string;
  /** Name of the player's software (`flashVer`); empty for none. */
  readonly agent: string;
  /** Page that contains the player (`pageUrl`); empty for none. */
  readonly page: string;
}

/** A player, as seen by the output of its stream. */
export interface PlayReceiver {
  readonly capabilities: FlvCapabilities;
  /** Message stream that it plays on. */
  readonly streamId: number;
  /** Whether so much is unsent that media must be skipped, or the player has paused. */
  readonly isBehind: boolean;
  /** Whether media may start: nearly everything is sent. */
  readonly isReady: boolean;
  /** Sends chunks that players share. `isBurst`: media from before the player joined. */
  send(chunks: Buffer, isBurst?: boolean): void;
  /** The stream has lost its input; another may follow. */
  idle(): void;
  /** Called if the player takes none of the tracks. */
  fail(why: Explained): void;
}

/** Stream that a player was admitted to. */
export interface PlayedStream {
  /** Adds the player. */
  join(receiver: PlayReceiver): void;
  /** Counts bytes on their way to the player. */
  sent(bytes: number): void;
  /** Called once, when the player has left. */
  left(): void;
}

/** Answer to a player. */
export type PlayDecision =
  { readonly accepted: true; readonly stream: PlayedStream } | ({ readonly accepted: false } & InputEnd);

/** Accepts or refuses players. */
export interface PlayerPort {
  /** `player.close` disconnects the player later, for example when its session ends. */
  play(request: PlayRequest, player: { close(reason: InputEnd): void }): Promise<PlayDecision>;
}

/** Refuses all players. */
export const NO_PLAYERS: PlayerPort = {
  play: ({ path }) =>
    Promise.resolve({ accepted: false, code: 'stream_not_found', ...because('play_unknown', { name: path }) }),
};
