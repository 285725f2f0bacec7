import type { MediaSink } from '../media/access-unit.ts';

/** Why an input stopped giving frames. The code stands in the error catalogue of the contract. */
export interface InputEnd {
  readonly code: string;
  /** What happened, in words, for the operator. */
  readonly detail: string;
}

/** Receives what an input brings: tracks and access units, bytes counted, and its end. */
export interface InputSink extends MediaSink {
  /** Bytes came in from outside and are going to be parsed; 0 where that begins later, in another turn. */
  received(bytes: number): void;
  /** The input is over. Called once, last; nothing comes after it. */
  ended(end: InputEnd): void;
}

/**
 * A running input. It is made with its options and a sink, gives frames after `start()`, and ends once: by itself
 * (`sink.ended`) or by `close()`, after which the sink hears nothing more.
 */
export interface Input {
  start(): void;
  /** Resolves when no socket, file or timer of the input is left. */
  close(): Promise<void>;
}

/** An encoder asks to publish. */
export interface PublishRequest {
  readonly protocol: 'rtmp' | 'mpegts';
  /** Full name that the encoder asked for: application and stream key for RTMP (`static/cam1`), path for HTTP (`cam1`). */
  readonly path: string;
  /** Query parameters of the address, such as `password`. */
  readonly query: ReadonlyMap<string, string>;
  /** Address of the encoder, `ip:port`. */
  readonly peer: string;
  /** Name of the encoder's software where it says one (`flashVer`, `encoder`, `User-Agent`). */
  readonly agent?: string;
}

/** The answer to a publisher: where its frames go, or why not. */
export type PublishDecision =
  | { readonly accepted: true; readonly sink: InputSink }
  | { readonly accepted: false; readonly code: string; readonly detail: string };

/** Decides about publishers; declared by the servers that accept them. */
export interface PublisherPort {
  /** `publisher.close` disconnects the encoder later, for example when its stream is removed. */
  open(request: PublishRequest, publisher: { close(reason: InputEnd): void }): Promise<PublishDecision>;
}
