import type { ArrivalProtocol } from '../../sessions/admission.ts';
import type { Exchange } from '../exchange.ts';
import type { MediaResource } from '../media-address.ts';
import type { StartNeed, StreamOutput } from '../stream-output.ts';

/** How one kind of media address is answered of a stream that is known, whether it runs or not. */
export interface StreamAnswer<R extends MediaResource = MediaResource> {
  readonly from: 'stream';
  /** Protocol of the session that it needs; undefined where it needs none. */
  readonly proto: ArrivalProtocol | undefined;
  answer(exchange: Exchange, stream: string, resource: R): void;
}

/** How one kind of media address is answered from the window of a stream. */
export interface WindowAnswer<R extends MediaResource = MediaResource> {
  readonly from: 'window';
  /** Protocol of the session that it needs. */
  readonly proto: ArrivalProtocol;
  /**
   * When players ask for it: `opening` addresses begin to play, start a stream that runs for its viewers only, and may send a player
   * elsewhere; a `segment` is found in a playlist only.
   */
  readonly step: 'opening' | 'segment';
  readonly needs: StartNeed;
  answer(exchange: Exchange, output: StreamOutput, resource: R, now: () => number): void;
}

/** How one kind of media address is answered: everything that delivery has to know of it, besides how it is written. */
export type MediaAnswer<R extends MediaResource = MediaResource> = StreamAnswer<R> | WindowAnswer<R>;

/** What is asked for by addresses of one kind, or of several. */
export type ResourceOf<Kind extends MediaResource['kind']> = MediaResource & { readonly kind: Kind };

/** The answers to some kinds of addresses. */
export type AnswersTo<Kind extends MediaResource['kind']> = {
  readonly [K in Kind]: MediaAnswer<ResourceOf<K>>;
};
