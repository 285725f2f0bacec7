import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { FormatProblem } from '../../media/access-unit.ts';
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
import type { InputEnd, PublishRequest } from '../input.ts';
import { Playback, type PlaybackOptions, type PlayCommand } from './playback.ts';
import { Publication, type PublicationOptions, type PublicationPort } from './publication.ts';
import { PublishCommands } from './publish-commands.ts';

/** Port from the messages of an encoder to its socket. */
export interface MessageSessionPort extends Pick<PublicationPort, 'resume' | 'close' | 'drop' | 'fault'> {
  write(bytes: Uint8Array): void;
  /** Bytes that the peer has not read yet. */
  unsentBytes(): number;
}

/** Maximum acknowledgement window, whatever the encoder requests. */
const MAX_ACKNOWLEDGEMENT_WINDOW_BYTES = 2_500_000;

/** Minimum acknowledgement window: a smaller one would cause too many acknowledgements. */
const MIN_ACKNOWLEDGEMENT_WINDOW_BYTES = 64 * 1024;

/** Handles the messages of one connection after the handshake: commands, protocol control, and media for the publication. */
export class MessageSession implements RtmpMessageSink {
  /** Bytes of the connection, including the handshake. */
  receivedBytes = 0;
  readonly #options: PublicationOptions & PlaybackOptions;
  readonly #port: MessageSessionPort;
  readonly #reader: ChunkStreamReader;
  readonly #writer = new ChunkStreamWriter();
  readonly #commands: PublishCommands;
  #publication: Publication | undefined;
  #playback: Playback | undefined;
  #acknowledgedBytes = 0;
  #windowBytes = MAX_ACKNOWLEDGEMENT_WINDOW_BYTES;
  #isOver = false;

  constructor(options: PublicationOptions & PlaybackOptions, port: MessageSessionPort) {
    this.#options = options;
    this.#port = port;
    const { maxMessageBytes, maxEarlyBytes } = options.limits;
    this.#reader = new ChunkStreamReader(this, { maxMessageBytes, maxGatheredBytes: maxEarlyBytes });
    this.#commands = new PublishCommands({
      send: (chunkStreamId, message) => {
        this.#send(chunkStreamId, message);
      },
      publish: (streamId, request) => {
        this.#publish(streamId, request);
      },
      play: (streamId, command) => {
        this.#play(streamId, command);
      },
      pause: (isPaused) => {
        this.#playback?.pause(isPaused);
      },
      seek: () => {
        this.#playback?.seek();
      },
      stop: (why) => {
        port.close({ code: 'publish_closed', ...why });
      },
      refuse: (end) => {
        port.close(end);
      },
    });
  }

  /** Progress of the encoder or the player. */
  get phase(): 'commands' | 'deciding' | 'publishing' | 'playing' {
    if (this.#playback) return this.#playback.isAccepted ? 'playing' : 'deciding';
    if (!this.#publication) return 'commands';
    return this.#publication.isAccepted ? 'publishing' : 'deciding';
  }

  /** Bytes of incomplete messages and access units, and of messages that wait for the gate. */
  get pendingBytes(): number {
    return this.#reader.gatheredBytes + (this.#publication?.pendingBytes ?? 0);
  }

  /** Counts bytes of the connection before they are parsed. */
  received(length: number): void {
    this.receivedBytes += length;
    this.#publication?.received(length);
  }

  /** Processes bytes of the chunk stream, which are borrowed. */
  push(bytes: Uint8Array, from: number, end: number): void {
    this.#reader.push(bytes, from, end);
  }

  /** Acknowledges received bytes if there are enough (RTMP 1.0, section 5.4.3). */
  acknowledge(): void {
    if (this.receivedBytes - this.#acknowledgedBytes < this.#windowBytes) return;
    this.#acknowledgedBytes = this.receivedBytes;
    this.#send(CHUNK_STREAM.control, writeAcknowledgement(this.receivedBytes % 0x1_0000_0000));
  }

  /** Pings the encoder. */
  ping(nowMs: number): void {
    const value = nowMs % 0x7fffffff;
    this.#send(CHUNK_STREAM.control, writeUserControl({ event: USER_CONTROL.pingRequest, value }));
  }

  /** Refuses an encoder or a player that waits for the decision of the server. */
  refuse(end: InputEnd): void {
    this.#publication?.refuse(end);
    this.#playback?.refuse(end);
  }

  /** Informs a player that the server closes the connection. */
  announceEnd(detail: string): void {
    this.#playback?.announceEnd(detail);
  }

  /** Ends the session because the connection has ended. Returns whether it had been accepted. */
  end(end: InputEnd): boolean {
    this.#isOver = true;
    this.#reader.close();
    return this.#playback?.end() ?? this.#publication?.end(end) ?? false;
  }

  /** Handles a complete message from the chunk stream. */
  message(type: number, streamId: number, timestampMs: number, payload: Uint8Array): void {
    // Ignores messages after the end in the same chunk.
    if (this.#isOver) return;
    if (type === MESSAGE_TYPE.video || type === MESSAGE_TYPE.audio)
      this.#publication?.media(type, timestampMs, payload);
    else this.#rareMessage(type, streamId, timestampMs, payload);
  }

  /** Handles a damaged chunk stream. */
  problem(problem: FormatProblem): void {
    this.#publication?.problem(problem);
    const { code, detail, explanation } = problem;
    this.#port.drop({ code, detail, explanation });
  }

  #rareMessage(type: number, streamId: number, timestampMs: number, payload: Uint8Array): void {
    switch (type) {
      case MESSAGE_TYPE.commandAmf0:
      case MESSAGE_TYPE.commandAmf3: {
        const command = readCommand(type, payload);
        if (command) this.#commands.take(command, streamId);
        else this.#port.drop({ code: 'rtmp_bad_command', ...because('rtmp_command_unnamed') });
        return;
      }
      case MESSAGE_TYPE.dataAmf0:
      case MESSAGE_TYPE.dataAmf3:
        this.#publication?.media(type, timestampMs, payload);
        return;
      case MESSAGE_TYPE.aggregate:
        for (const inner of readAggregate(timestampMs, streamId, payload))
          this.#publication?.media(inner.type, inner.timestampMs, inner.payload);
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

  #publish(streamId: number, request: Pick<PublishRequest, 'path' | 'query' | 'agent'>): void {
    const { resume, close, drop, fault } = this.#port;
    const publication = new Publication(streamId, this.#options, {
      send: (chunkStreamId, message) => {
        this.#send(chunkStreamId, message);
      },
      accepted: () => {
        this.#reader.maxGatheredBytes = this.#options.limits.maxGatheredBytes;
      },
      resume,
      close,
      drop,
      fault,
    });
    this.#publication = publication;
    void publication.decide(request, () => this.receivedBytes);
  }

  #play(streamId: number, command: PlayCommand): void {
    const { resume, close, write, unsentBytes } = this.#port;
    const playback = new Playback(streamId, command.capabilities, this.#options, {
      send: (chunkStreamId, message) => {
        this.#send(chunkStreamId, message);
      },
      write,
      unsentBytes,
      resume,
      close,
    });
    this.#playback = playback;
    void playback.start(command);
  }

  #send(chunkStreamId: number, message: RtmpMessage): void {
    this.#port.write(this.#writer.write(chunkStreamId, message));
  }
}
