import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { Log } from '../../lib/log.ts';
import { writeAmf0 } from '../../media/containers/rtmp/amf0.ts';
import type { FlvCapabilities } from '../../media/containers/flv/flv-layout.ts';
import { CHUNK_STREAM, MESSAGE_TYPE, type RtmpMessage } from '../../media/containers/rtmp/message.ts';
import { USER_CONTROL, writeSetChunkSize, writeUserControl } from '../../media/containers/rtmp/protocol-control.ts';
import { SHARED_CHUNK_BYTES } from '../../media/containers/rtmp/shared-message.ts';
import type { InputEnd } from '../input.ts';
import type { PlayDecision, PlayedStream, PlayerPort, PlayReceiver, PlayRequest } from './play-port.ts';
import { playRefusalStatus, streamStatus } from './replies.ts';

/** Request of a player, as far as its commands state it. */
export interface PlayCommand extends Omit<PlayRequest, 'peer'> {
  readonly capabilities: FlvCapabilities;
}

/** Port from a playback to its connection. */
export interface PlaybackPort {
  send(chunkStreamId: number, message: RtmpMessage): void;
  /** Sends chunks as they are. */
  write(chunks: Buffer): void;
  /** Bytes that the player has not read yet. */
  unsentBytes(): number;
  /** Resumes reading, because the server has answered. */
  resume(): void;
  /** Ends the connection in order. */
  close(end: InputEnd): void;
}

export interface PlaybackOptions {
  readonly players: PlayerPort;
  readonly log: Log;
  /** Address of the player, `ip:port`. */
  readonly peer: string;
}

/** Unsent bytes above which media is skipped. */
const MAX_UNSENT_BYTES = 2 * 1024 * 1024;
/** Unsent bytes up to which media starts again. */
const READY_BYTES = 256 * 1024;

/** Stream that a connection plays. */
export class Playback implements PlayReceiver {
  readonly capabilities: FlvCapabilities;
  readonly streamId: number;
  readonly #options: PlaybackOptions;
  readonly #port: PlaybackPort;
  #stream: PlayedStream | undefined;
  #isPaused = false;
  #isIdle = false;
  #isOver = false;
  /** Unsent bytes of media from before the player joined, which do not count as a delay. */
  #burstBytes = 0;

  /** @param streamId message stream that the player plays on */
  constructor(streamId: number, capabilities: FlvCapabilities, options: PlaybackOptions, port: PlaybackPort) {
    this.capabilities = capabilities;
    this.streamId = streamId;
    this.#options = options;
    this.#port = port;
  }

  /** Whether the server has accepted the player. */
  get isAccepted(): boolean {
    return this.#stream !== undefined;
  }

  get isBehind(): boolean {
    return this.#isPaused || this.#port.unsentBytes() > MAX_UNSENT_BYTES + this.#burstBytes;
  }

  get isReady(): boolean {
    return !this.#isPaused && this.#port.unsentBytes() <= READY_BYTES;
  }

  /** Asks the server, and starts to play. */
  async start(request: PlayCommand): Promise<void> {
    const decision = await this.#decide(request);
    if (this.#isOver) {
      if (decision.accepted) decision.stream.left();
      return;
    }
    if (!decision.accepted) {
      this.refuse(decision);
      return;
    }
    this.#stream = decision.stream;
    this.#accept(request.path);
    this.#port.resume();
    decision.stream.join(this);
  }

  send(chunks: Buffer, isBurst = false): void {
    const unsent = this.#port.unsentBytes();
    if (isBurst) this.#burstBytes += chunks.length;
    else if (unsent < this.#burstBytes) this.#burstBytes = unsent;
    if (this.#isIdle) {
      this.#isIdle = false;
      this.#control(USER_CONTROL.streamBegin);
    }
    this.#port.write(chunks);
    this.#stream?.sent(chunks.length);
  }

  idle(): void {
    if (this.#isIdle) return;
    this.#isIdle = true;
    this.#control(USER_CONTROL.streamEof);
  }

  fail(why: Explained): void {
    this.#status('error', 'NetStream.Play.Failed', why.detail);
    this.#port.close({ code: 'format_not_supported', ...why });
  }

  /** Pauses or continues; a live stream continues at its newest key frame. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    const [code, detail] = isPaused ? ['Pause', 'Paused.'] : ['Unpause', 'Continues.'];
    this.#status('status', `NetStream.${code}.Notify`, detail);
  }

  /** Answers a seek command: a live stream has no other position. */
  seek(): void {
    this.#status('error', 'NetStream.Seek.Failed', 'A live stream cannot be searched.');
  }

  /** Refuses the player. */
  refuse({ code, detail, explanation }: InputEnd): void {
    this.#status('error', playRefusalStatus(code), detail);
    this.#port.close({ code, detail, ...(explanation ? { explanation } : {}) });
  }

  /** Informs the player that the stream has ended. */
  announceEnd(detail: string): void {
    if (!this.#stream) return;
    this.#control(USER_CONTROL.streamEof);
    this.#status('status', 'NetStream.Play.UnpublishNotify', detail);
    this.#status('status', 'NetStream.Play.Stop', detail);
  }

  /** Ends the playback because the connection has ended. Returns whether it had been accepted. */
  end(): boolean {
    this.#isOver = true;
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.left();
    return stream !== undefined;
  }

  async #decide({ capabilities: _, ...request }: PlayCommand): Promise<PlayDecision> {
    const { players, peer, log } = this.#options;
    try {
      return await players.play(
        { ...request, peer },
        {
          close: (reason) => {
            if (!this.#isOver) this.#port.close(reason);
          },
        },
      );
    } catch (error) {
      log.error('the authorization of a player failed', { peer, path: request.path, error: messageOf(error) });
      return { accepted: false, code: 'internal', ...because('internal_error') };
    }
  }

  #accept(path: string): void {
    this.#port.send(CHUNK_STREAM.control, writeSetChunkSize(SHARED_CHUNK_BYTES));
    this.#control(USER_CONTROL.streamBegin);
    this.#status('status', 'NetStream.Play.Reset', `Playing and resetting ${path}.`);
    this.#status('status', 'NetStream.Play.Start', `Started playing ${path}.`);
    // Old players read no media before this message.
    const payload = writeAmf0(['|RtmpSampleAccess', true, true]);
    const sampleAccess = { type: MESSAGE_TYPE.dataAmf0, streamId: this.streamId, timestampMs: 0, payload };
    this.#port.send(CHUNK_STREAM.stream, sampleAccess);
  }

  #control(event: number): void {
    this.#port.send(CHUNK_STREAM.control, writeUserControl({ event, value: this.streamId }));
  }

  #status(level: 'status' | 'error', code: string, detail: string): void {
    this.#port.send(CHUNK_STREAM.stream, streamStatus(this.streamId, level, code, detail));
  }
}
