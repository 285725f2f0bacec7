import type { Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { MediaSink } from '../media/access-unit.ts';

/** One input of a stream: an address and its options, as configured. */
export interface InputSpec {
  readonly url: string;
  readonly options: Readonly<Record<string, string>>;
}

/** Reason why an input stopped. The code is in the error catalogue of the contract. */
export interface InputEnd extends Explained {
  readonly code: string;
}

/** Receives the output of an input: tracks and access units, byte counts, and its end. */
export interface InputSink extends MediaSink {
  /** Called when bytes arrived and before they are parsed; with 0 if parsing starts in another turn. */
  received(bytes: number): void;
  /** Called once, as the last call, when the input has ended. */
  ended(end: InputEnd): void;
}

/**
 * Running input. It is created with options and a sink, emits frames after `start()`, and ends once: by itself
 * (`sink.ended`) or by `close()`. After the end, the sink is not called any more.
 */
export interface Input {
  start(): void;
  /** Resolves when no socket, file or timer of the input is left. */
  close(): Promise<void>;
}

/** Request of an encoder to publish. */
export interface PublishRequest {
  readonly protocol: 'rtmp' | 'mpegts';
  /** Full name requested by the encoder: application and stream key for RTMP (`static/cam1`), path for HTTP (`cam1`). */
  readonly path: string;
  /** Query parameters of the address, such as `password`. */
  readonly query: ReadonlyMap<string, string>;
  /** Address of the encoder, `ip:port`. */
  readonly peer: string;
  /** Name of the encoder's software, if stated (`flashVer`, `encoder`, `User-Agent`). */
  readonly agent?: string;
}

/** Refused request, with the fields that were received. */
export type RefusedPublish = Pick<PublishRequest, 'path'> & Partial<Pick<PublishRequest, 'peer'>>;

/** Answer to a publisher: a sink for its frames, or a refusal. */
export type PublishDecision =
  { readonly accepted: true; readonly sink: InputSink } | ({ readonly accepted: false } & InputEnd);

/** Accepts or refuses publishers; declared by the servers that listen for them. */
export interface PublisherPort {
  /** `publisher.close` disconnects the encoder later, for example when its stream is removed. */
  open(request: PublishRequest, publisher: { close(reason: InputEnd): void }): Promise<PublishDecision>;
}
