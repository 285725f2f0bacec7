import type { ArrivalProtocol } from '../sessions/admission.ts';
import type { Exchange } from './exchange.ts';
import type { MediaResource } from './media-address.ts';
import type { StartNeed, StreamOutput } from './stream-output.ts';

/** Answer to one kind of media address of a known stream, running or not. */
export interface StreamAnswer<R extends MediaResource = MediaResource> {
  readonly from: 'stream';
  /** Protocol of the required session; undefined for none. */
  readonly proto: ArrivalProtocol | undefined;
  answer(exchange: Exchange, stream: string, resource: R): void;
}

/** Answer to one kind of media address from the window of a stream. */
export interface WindowAnswer<R extends MediaResource = MediaResource> {
  readonly from: 'window';
  /** Protocol of the required session. */
  readonly proto: ArrivalProtocol;
  /**
   * `opening` addresses start playback, start an on-demand stream, and may redirect a player; a `segment` address comes
   * from a playlist.
   */
  readonly step: 'opening' | 'segment';
  readonly needs: StartNeed;
  answer(exchange: Exchange, output: StreamOutput, resource: R, now: () => number): void;
}

/** Answer to one kind of media address: all rules of delivery for this kind, except its syntax. */
export type MediaAnswer<R extends MediaResource = MediaResource> = StreamAnswer<R> | WindowAnswer<R>;

/** Resource of one kind, or of several kinds. */
export type ResourceOf<Kind extends MediaResource['kind']> = MediaResource & { readonly kind: Kind };

/** Answers to some kinds of addresses. */
export type AnswersTo<Kind extends MediaResource['kind']> = {
  readonly [K in Kind]: MediaAnswer<ResourceOf<K>>;
};
