import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { Log } from '../../lib/log.ts';
import type { FormatProblem } from '../../media/access-unit.ts';
import { FlvTagReader } from '../../media/containers/flv/flv-tag-reader.ts';
import { CHUNK_STREAM } from '../../media/containers/rtmp/message.ts';
import type { RtmpMessage } from '../../media/containers/rtmp/message.ts';
import { USER_CONTROL, writeUserControl } from '../../media/containers/rtmp/protocol-control.ts';
import type { InputEnd, InputSink, PublishDecision, PublisherPort, PublishRequest } from '../input.ts';
import type { RtmpLimits } from './limits.ts';
import { refusalStatus, streamStatus } from './replies.ts';

/** Port from a publication to its connection. */
export interface PublicationPort {
  send(chunkStreamId: number, message: RtmpMessage): void;
  /** Called when the gate has accepted the encoder. From then on the memory limit of media applies. */
  accepted(): void;
  /** Resumes reading, because the gate has answered. */
  resume(): void;
  /** Ends the connection in order, so that a refusal arrives, unless it has ended. */
  close(end: InputEnd): void;
  /** Ends the connection at once. */
  drop(end: InputEnd): void;
  /** Ends the connection after an exception, which must not reach another stream of this thread. */
  fault(error: unknown): void;
}

export interface PublicationOptions {
  /** Authorizes publishers. */
  readonly gate: PublisherPort;
  readonly limits: RtmpLimits;
  readonly log: Log;
  /** Address of the encoder, `ip:port`. */
  readonly peer: string;
}

/** Memory of a waiting message besides its bytes. */
const MESSAGE_OVERHEAD_BYTES = 256;

/** Stream that a connection publishes. The gate admits the encoder, and then its media is passed to the sink. */
export class Publication {
  readonly #options: PublicationOptions;
  readonly #port: PublicationPort;
  readonly #streamId: number;
  #sink: InputSink | undefined;
  #tags: FlvTagReader | undefined;
  /** Copies of media messages received before the gate answered. */
  #pending: Omit<RtmpMessage, 'streamId'>[] = [];
  #pendingBytes = 0;
  #isOver = false;

  /** @param streamId message stream that the encoder publishes on */
  constructor(streamId: number, options: PublicationOptions, port: PublicationPort) {
    this.#streamId = streamId;
    this.#options = options;
    this.#port = port;
  }

  /** Whether the gate has accepted the encoder. */
  get isAccepted(): boolean {
    return this.#sink !== undefined;
  }

  /** Bytes of media that waits for the gate, and of incomplete access units. */
  get pendingBytes(): number {
    return this.#pendingBytes + (this.#tags?.bufferedBytes ?? 0);
  }

  /** Asks the gate. @param receivedBytes returns the number of received bytes when the gate answers */
  async decide(request: Pick<PublishRequest, 'path' | 'query' | 'agent'>, receivedBytes: () => number): Promise<void> {
    const decision = await this.#decide(request);
    if (this.#isOver) {
      if (decision.accepted) decision.sink.ended({ code: 'publish_closed', ...because('encoder_left') });
      return;
    }
    if (!decision.accepted) {
      this.refuse(decision);
      return;
    }
    try {
      this.#accept(decision.sink, request.path, receivedBytes());
    } catch (error) {
      this.#port.fault(error);
    }
    this.#port.resume();
  }

  /** Processes a media message, which is borrowed. */
  media(type: number, timestampMs: number, payload: Uint8Array): void {
    if (this.#tags) {
      // The stream id is ignored: a connection publishes one stream, and some encoders send a wrong id.
      this.#tags.push(type, timestampMs, payload);
      return;
    }
    if (this.#isOver) return;
    this.#pendingBytes += payload.length + MESSAGE_OVERHEAD_BYTES;
    if (this.#pendingBytes > this.#options.limits.maxPendingBytes) {
      this.#port.drop({ code: 'rtmp_message_too_large', ...because('rtmp_early_media') });
      return;
    }
    this.#pending.push({ type, timestampMs, payload: Uint8Array.from(payload) });
  }

  /** Counts bytes from the encoder. */
  received(length: number): void {
    this.#sink?.received(length);
  }

  problem(problem: FormatProblem): void {
    this.#sink?.problem(problem);
  }

  /** Refuses the encoder. */
  refuse({ code, detail, explanation }: InputEnd): void {
    this.#port.send(CHUNK_STREAM.stream, streamStatus(this.#streamId, 'error', refusalStatus(code), detail));
    this.#port.close({ code, detail, explanation });
  }

  /** Ends the publication because the connection has ended. Returns whether there was a sink to notify. */
  end(end: InputEnd): boolean {
    this.#isOver = true;
    this.#pending = [];
    this.#tags = undefined;
    const sink = this.#sink;
    this.#sink = undefined;
    sink?.ended(end);
    return sink !== undefined;
  }

  async #decide(request: Pick<PublishRequest, 'path' | 'query' | 'agent'>): Promise<PublishDecision> {
    const { gate, peer, log } = this.#options;
    try {
      return await gate.open(
        { protocol: 'rtmp', peer, ...request },
        {
          close: (reason) => {
            this.#port.close(reason);
          },
        },
      );
    } catch (error) {
      log.error('the authorization of a publisher failed', { peer, path: request.path, error: messageOf(error) });
      return { accepted: false, code: 'internal', ...because('internal_error') };
    }
  }

  #accept(sink: InputSink, path: string, receivedBytes: number): void {
    this.#port.accepted();
    this.#sink = sink;
    this.#tags = new FlvTagReader(sink);
    sink.received(receivedBytes);
    const streamId = this.#streamId;
    this.#port.send(CHUNK_STREAM.control, writeUserControl({ event: USER_CONTROL.streamBegin, value: streamId }));
    const detail = `${path} is now published.`;
    this.#port.send(CHUNK_STREAM.stream, streamStatus(streamId, 'status', 'NetStream.Publish.Start', detail));
    const pending = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    for (const { type, timestampMs, payload } of pending) this.media(type, timestampMs, payload);
  }
}
