import type { Socket } from 'node:net';
import { messageOf } from '../../lib/error-message.ts';
import type { Log } from '../../lib/log.ts';
import type { FormatProblem } from '../../media/access-unit.ts';
import { FlvTagReader } from '../../media/containers/flv/flv-tag-reader.ts';
import { readAggregate } from '../../media/containers/rtmp/aggregate.ts';
import { ChunkStreamReader } from '../../media/containers/rtmp/chunk-stream-reader.ts';
import { ChunkStreamWriter } from '../../media/containers/rtmp/chunk-stream-writer.ts';
import { readCommand } from '../../media/containers/rtmp/command.ts';
import { CHUNK_STREAM, MESSAGE_TYPE } from '../../media/containers/rtmp/message.ts';
import type { RtmpMessage, RtmpMessageSink } from '../../media/containers/rtmp/message.ts';
import {
  readControlValue,
  readUserControl,
  USER_CONTROL,
  writeAcknowledgement,
  writeUserControl,
} from '../../media/containers/rtmp/protocol-control.ts';
import type { ByteBudget, ByteShare } from '../byte-budget.ts';
import type { InputEnd, InputSink, PublishDecision, PublisherPort, PublishRequest } from '../input.ts';
import { describeUnknownBytes, HandshakePhase } from './handshake-phase.ts';
import type { RtmpLimits } from './limits.ts';
import { PublishCommands } from './publish-commands.ts';
import { refusalStatus, streamStatus } from './replies.ts';
import { readShared } from './shared-reads.ts';

/** What a connection needs from its server. */
export interface RtmpConnectionOptions {
  readonly gate: PublisherPort;
  readonly limits: RtmpLimits;
  /** What all inputs of the thread share for what is half received. */
  readonly budget: ByteBudget;
  readonly log: Log;
  /** Address of the other side, `ip:port`. */
  readonly peer: string;
  readonly nowMs: number;
  /** Called once, when the socket is closed. */
  readonly closed: () => void;
}

/** Acknowledge at least so often, whatever the encoder asks for. */
const MAX_ACKNOWLEDGEMENT_WINDOW_BYTES = 2_500_000;

/** A smaller window would cost more answers than the media is worth. */
const MIN_ACKNOWLEDGEMENT_WINDOW_BYTES = 64 * 1024;

/** What a message that waits costs beside its bytes. */
const MESSAGE_OVERHEAD_BYTES = 256;

type State = 'handshake' | 'commands' | 'deciding' | 'publishing' | 'closing';

/** One connection of an encoder: from the first byte through the publish command to its end. */
export class RtmpConnection implements RtmpMessageSink {
  readonly #options: RtmpConnectionOptions;
  readonly #socket: Socket;
  readonly #reader: ChunkStreamReader;
  readonly #writer = new ChunkStreamWriter();
  readonly #commands: PublishCommands;
  readonly #share: ByteShare;
  #handshake: HandshakePhase | undefined;
  #state: State = 'handshake';
  /** When the state began, or when bytes last came from a publisher. */
  #sinceMs: number;
  #sink: InputSink | undefined;
  #tags: FlvTagReader | undefined;
  #streamId = 0;
  /** Media messages that came before the gate answered, copied. */
  #held: Omit<RtmpMessage, 'streamId'>[] = [];
  #heldBytes = 0;
  #receivedBytes = 0;
  #sweptBytes = 0;
  #acknowledgedBytes = 0;
  #windowBytes = MAX_ACKNOWLEDGEMENT_WINDOW_BYTES;
  #isPinged = false;

  constructor(accepted: Socket, options: RtmpConnectionOptions) {
    this.#options = options;
    this.#sinceMs = options.nowMs;
    const { maxMessageBytes, maxEarlyBytes } = options.limits;
    this.#reader = new ChunkStreamReader(this, { maxMessageBytes, maxGatheredBytes: maxEarlyBytes });
    this.#share = options.budget.open(({ code, detail }) => this.#drop(code, detail));
    this.#commands = new PublishCommands({
      send: (chunkStreamId, message) => this.#send(chunkStreamId, message),
      publish: (streamId, request) => void this.#publish(streamId, request),
      stop: (detail) => this.#end({ code: 'publish_closed', detail }),
      refuse: (code, detail) => this.#end({ code, detail }),
    });
    this.#handshake = new HandshakePhase(options.nowMs, (bytes) => this.#write(bytes));
    this.#socket = readShared(accepted, (bytes, length) => this.#receive(bytes, length));
    this.#socket.on('error', (error) => this.#lose(`The connection broke: ${error.message}.`));
    this.#socket.on('end', () => this.#lose('The encoder closed the connection.'));
    this.#socket.on('close', () => {
      this.#lose('The connection closed.');
      options.closed();
    });
  }

  /** Looks at the time limits; called about once a second. */
  sweep(nowMs: number): void {
    const { limits } = this.#options;
    const waitedMs = nowMs - this.#sinceMs;
    if (this.#state === 'publishing') this.#sweepPublisher(nowMs, waitedMs);
    else if (this.#state === 'closing' && waitedMs >= limits.lingerMs) this.#socket.destroy();
    else if (this.#state === 'handshake' && waitedMs >= limits.handshakeTimeoutMs) {
      this.#drop('rtmp_bad_handshake', 'The handshake was not complete in time.');
    } else if (this.#state === 'commands' && waitedMs >= limits.publishTimeoutMs) {
      this.#drop('rtmp_bad_command', 'No publish command came in time.');
    } else if (this.#state === 'deciding' && waitedMs >= limits.decisionTimeoutMs) {
      this.#refuse('unavailable', 'The server could not decide in time.');
    }
  }

  /** Disconnects the encoder; an accepted publisher's sink hears `end`. */
  close(end: InputEnd): void {
    if (this.#state === 'closing') this.#socket.destroy();
    else this.#end(end);
  }

  /** A whole message from the chunk stream. */
  message(type: number, streamId: number, timestampMs: number, payload: Uint8Array): void {
    // What follows the end in the same piece of bytes.
    if (this.#state === 'closing') return;
    if (type === MESSAGE_TYPE.video || type === MESSAGE_TYPE.audio) this.#media(type, timestampMs, payload);
    else this.#rareMessage(type, streamId, timestampMs, payload);
  }

  /** The chunk stream is damaged. */
  problem(problem: FormatProblem): void {
    this.#sink?.problem(problem);
    this.#drop(problem.code, problem.detail);
  }

  #receive(bytes: Uint8Array, length: number): boolean {
    try {
      this.#receivedBytes += length;
      this.#sink?.received(length);
      if (this.#handshake) this.#greet(this.#handshake, bytes, length);
      else if (this.#state !== 'closing') this.#reader.push(bytes, 0, length);
      this.#share.hold(this.#reader.gatheredBytes + this.#heldBytes + (this.#tags?.heldBytes ?? 0));
      if (this.#receivedBytes - this.#acknowledgedBytes >= this.#windowBytes) this.#acknowledge();
    } catch (error) {
      this.#fault(error);
    }
    return this.#state !== 'deciding';
  }

  /** Ends this connection after an exception, which must not reach another stream of this thread. */
  #fault(error: unknown): void {
    this.#options.log.error('error in an RTMP connection', { peer: this.#options.peer, error: messageOf(error) });
    this.#drop('internal', 'Internal server error.');
  }

  #greet(handshake: HandshakePhase, bytes: Uint8Array, length: number): void {
    const used = handshake.push(bytes, length);
    if (used < 0) {
      this.#drop('rtmp_bad_handshake', describeUnknownBytes(bytes.subarray(0, length)));
      return;
    }
    if (!handshake.isDone) return;
    this.#handshake = undefined;
    // The publish command has a limit from the connect on, so that a slow handshake gains nothing.
    if (this.#state === 'handshake') this.#state = 'commands';
    if (used < length) this.#reader.push(bytes, used, length);
  }

  #media(type: number, timestampMs: number, payload: Uint8Array): void {
    if (this.#tags) {
      // A connection publishes one stream, and some encoders are careless with the stream id: it is not looked at.
      this.#tags.push(type, timestampMs, payload);
      return;
    }
    if (this.#state !== 'deciding') return;
    this.#heldBytes += payload.length + MESSAGE_OVERHEAD_BYTES;
    if (this.#heldBytes > this.#options.limits.maxHeldBytes) {
      this.#drop('rtmp_message_too_large', 'The encoder sent too much media before it was accepted.');
      return;
    }
    this.#held.push({ type, timestampMs, payload: Uint8Array.from(payload) });
  }

  #rareMessage(type: number, streamId: number, timestampMs: number, payload: Uint8Array): void {
    switch (type) {
      case MESSAGE_TYPE.commandAmf0:
      case MESSAGE_TYPE.commandAmf3: {
        const command = readCommand(type, payload);
        if (command) this.#commands.take(command, streamId);
        else this.#drop('rtmp_bad_command', 'A command has no name.');
        return;
      }
      case MESSAGE_TYPE.dataAmf0:
      case MESSAGE_TYPE.dataAmf3:
        this.#media(type, timestampMs, payload);
        return;
      case MESSAGE_TYPE.aggregate:
        for (const inner of readAggregate(timestampMs, streamId, payload))
          this.#media(inner.type, inner.timestampMs, inner.payload);
        return;
      case MESSAGE_TYPE.windowAcknowledgementSize: {
        const windowBytes = readControlValue(payload) ?? 0;
        this.#windowBytes = Math.min(
          Math.max(windowBytes, MIN_ACKNOWLEDGEMENT_WINDOW_BYTES),
          MAX_ACKNOWLEDGEMENT_WINDOW_BYTES,
        );
        return;
      }
      case MESSAGE_TYPE.userControl: {
        const control = readUserControl(payload);
        if (control?.event !== USER_CONTROL.pingRequest) return;
        this.#send(CHUNK_STREAM.control, writeUserControl({ event: USER_CONTROL.pingResponse, value: control.value }));
      }
    }
  }

  async #publish(streamId: number, request: Pick<PublishRequest, 'path' | 'query' | 'agent'>): Promise<void> {
    const { gate, peer, log } = this.#options;
    this.#state = 'deciding';
    this.#streamId = streamId;
    let decision: PublishDecision;
    try {
      decision = await gate.open({ protocol: 'rtmp', peer, ...request }, { close: (reason) => this.close(reason) });
    } catch (error) {
      log.error('the authorization of a publisher failed', { peer, path: request.path, error: messageOf(error) });
      decision = { accepted: false, code: 'internal', detail: 'Internal server error.' };
    }
    if (this.#state !== 'deciding') {
      if (decision.accepted)
        decision.sink.ended({ code: 'publish_closed', detail: 'The encoder went away before it was accepted.' });
      return;
    }
    if (!decision.accepted) {
      this.#refuse(decision.code, decision.detail);
      return;
    }
    try {
      this.#accept(decision.sink, request.path);
    } catch (error) {
      this.#fault(error);
    }
    this.#socket.resume();
  }

  #accept(sink: InputSink, path: string): void {
    this.#state = 'publishing';
    this.#reader.maxGatheredBytes = this.#options.limits.maxGatheredBytes;
    this.#sink = sink;
    this.#tags = new FlvTagReader(sink);
    sink.received(this.#receivedBytes);
    this.#send(CHUNK_STREAM.control, writeUserControl({ event: USER_CONTROL.streamBegin, value: this.#streamId }));
    this.#send(
      CHUNK_STREAM.stream,
      streamStatus(this.#streamId, 'status', 'NetStream.Publish.Start', `${path} is now published.`),
    );
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    for (const { type, timestampMs, payload } of held) this.#media(type, timestampMs, payload);
  }

  #refuse(code: string, detail: string): void {
    this.#send(CHUNK_STREAM.stream, streamStatus(this.#streamId, 'error', refusalStatus(code), detail));
    this.#end({ code, detail });
  }

  #sweepPublisher(nowMs: number, waitedMs: number): void {
    if (this.#receivedBytes !== this.#sweptBytes) {
      this.#sweptBytes = this.#receivedBytes;
      this.#sinceMs = nowMs;
      this.#isPinged = false;
      return;
    }
    const { idleTimeoutMs } = this.#options.limits;
    if (waitedMs >= idleTimeoutMs) {
      this.#drop('input_stalled', `No byte came from the encoder for ${Math.round(waitedMs / 1000)} s.`);
    } else if (!this.#isPinged && waitedMs >= idleTimeoutMs / 2) {
      this.#isPinged = true;
      this.#send(
        CHUNK_STREAM.control,
        writeUserControl({ event: USER_CONTROL.pingRequest, value: nowMs % 0x7fffffff }),
      );
    }
  }

  #acknowledge(): void {
    this.#acknowledgedBytes = this.#receivedBytes;
    if (this.#state === 'closing') return;
    this.#send(CHUNK_STREAM.control, writeAcknowledgement(this.#receivedBytes % 0x1_0000_0000));
  }

  #send(chunkStreamId: number, message: RtmpMessage): void {
    this.#write(this.#writer.write(chunkStreamId, message));
  }

  #write(bytes: Uint8Array): void {
    const socket = this.#socket;
    if (this.#state === 'closing' || !socket.writable) return;
    if (socket.writableLength > this.#options.limits.maxUnsentBytes)
      this.#drop('rtmp_bad_command', 'The encoder does not read the answers.');
    else socket.write(bytes);
  }

  /** The other side is gone. */
  #lose(detail: string): void {
    this.#finish({ code: 'publish_closed', detail });
    this.#state = 'closing';
  }

  /** Ends the connection in order: what was sent arrives, and the encoder has some time to close its side. */
  #end(end: InputEnd): void {
    this.#finish(end);
    this.#state = 'closing';
    this.#socket.end();
    this.#socket.resume();
  }

  /** Ends the connection at once. */
  #drop(code: string, detail: string): void {
    this.#finish({ code, detail });
    this.#state = 'closing';
    this.#socket.destroy();
  }

  #finish(end: InputEnd): void {
    if (this.#state === 'closing') return;
    this.#state = 'closing';
    this.#share.close();
    this.#reader.close();
    this.#held = [];
    this.#tags = undefined;
    const sink = this.#sink;
    this.#sink = undefined;
    if (!sink && end.code !== 'publish_closed')
      this.#options.log.warn(end.detail, { peer: this.#options.peer, code: end.code });
    sink?.ended(end);
  }
}
