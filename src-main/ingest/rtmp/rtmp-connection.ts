import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Socket } from 'node:net';
import { explained, messageOf } from '../../lib/error-message.ts';
import type { Log } from '../../lib/log.ts';
import type { ByteBudget, ByteShare } from '../byte-budget.ts';
import type { InputEnd, PublisherPort } from '../input.ts';
import { explainUnknownBytes, HandshakePhase } from './handshake-phase.ts';
import type { RtmpLimits } from './limits.ts';
import { MessageSession } from './message-session.ts';
import { NO_PLAYERS, type PlayerPort } from './play-port.ts';
import type { ReadTicks, TickedReads } from '../reads/read-ticks.ts';
import { readShared, type ReadSocket } from './shared-reads.ts';

export interface RtmpConnectionOptions {
  /** Authorizes publishers. */
  readonly gate: PublisherPort;
  /** Authorizes players; undefined refuses all. */
  readonly players: PlayerPort | undefined;
  readonly limits: RtmpLimits;
  /** Budget for incomplete data, shared by all inputs of the thread. */
  readonly budget: ByteBudget;
  /** Combined reads of publishers. */
  readonly ticks: ReadTicks;
  readonly log: Log;
  /** Address of the encoder, `ip:port`. */
  readonly peer: string;
  readonly nowMs: number;
  /** Called once, when the socket is closed. */
  readonly closed: () => void;
}

/** Stage of a connection to which a time limit applies. */
type Stage = 'opening' | 'deciding' | 'publishing' | 'playing' | 'closing';

/** Connection of an encoder or a player: its socket from the first byte to its end, and the time limit of each stage. */
export class RtmpConnection {
  readonly #options: RtmpConnectionOptions;
  readonly #socket: Socket;
  readonly #session: MessageSession;
  readonly #share: ByteShare;
  readonly #reads: ReadSocket['reads'];
  #ticked: TickedReads | undefined;
  #handshake: HandshakePhase | undefined;
  #isClosing = false;
  /**
   * Start of the current wait: the time of the connection, of the first sweep in the stage, or of the last bytes of a
   * publisher.
   */
  #sinceMs: number;
  #stage: Stage = 'opening';
  #sweptBytes = 0;
  #isCorked = false;
  #isPinged = false;

  constructor(accepted: Socket, options: RtmpConnectionOptions) {
    this.#options = options;
    this.#sinceMs = options.nowMs;
    this.#share = options.budget.open((end) => this.#drop(end));
    this.#session = new MessageSession(
      { ...options, players: options.players ?? NO_PLAYERS },
      {
        write: (bytes) => this.#write(bytes),
        unsentBytes: () => this.#socket.writableLength,
        resume: () => this.#resume(),
        close: (end) => this.close(end),
        drop: (end) => this.#drop(end),
        fault: (error) => this.#fault(error),
      },
    );
    this.#handshake = new HandshakePhase(options.nowMs, (bytes) => this.#write(bytes));
    const { socket, reads } = readShared(accepted, (bytes, length) => this.#receive(bytes, length));
    this.#socket = socket;
    this.#reads = reads;
    this.#socket.on('error', (error) => this.#lose(because('connection_broke', { explanation: explained(error) })));
    this.#socket.on('end', () => this.#lose(because('encoder_closed')));
    this.#socket.on('close', () => {
      this.#lose(because('connection_closed'));
      options.closed();
    });
  }

  /** Checks the time limits; called about once a second. */
  sweep(nowMs: number): void {
    const { limits } = this.#options;
    const stage = this.#findStage();
    if (stage !== this.#stage) {
      this.#stage = stage;
      this.#sinceMs = nowMs;
    }
    const waitedMs = nowMs - this.#sinceMs;
    if (stage === 'closing') {
      if (waitedMs >= limits.lingerMs) this.#socket.destroy();
    } else if (stage === 'publishing') this.#sweepPublisher(nowMs, waitedMs);
    else if (stage === 'playing') this.#sweepPlayer(nowMs, waitedMs);
    else if (stage === 'deciding') {
      if (waitedMs >= limits.decisionTimeoutMs)
        this.#session.refuse({ code: 'unavailable', ...because('rtmp_decision_late') });
    } else if (this.#handshake) {
      if (waitedMs >= limits.handshakeTimeoutMs)
        this.#drop({ code: 'rtmp_bad_handshake', ...because('rtmp_handshake_late', { seconds: secondsOf(waitedMs) }) });
    } else if (waitedMs >= limits.publishTimeoutMs) {
      this.#drop({ code: 'rtmp_bad_command', ...because('rtmp_publish_late', { seconds: secondsOf(waitedMs) }) });
    }
  }

  #findStage(): Stage {
    if (this.#isClosing) return 'closing';
    const { phase } = this.#session;
    return phase === 'commands' ? 'opening' : phase;
  }

  /** Disconnects the encoder; the sink of an accepted publisher gets `end`. */
  close(end: InputEnd): void {
    if (this.#isClosing) this.#socket.destroy();
    else this.#end(end);
  }

  #receive(bytes: Uint8Array, length: number): boolean {
    const session = this.#session;
    if (this.#ticked) this.#ticked.hasNewBytes = true;
    try {
      session.received(length);
      if (this.#handshake) this.#greet(this.#handshake, bytes, length);
      else if (!this.#isClosing) session.push(bytes, 0, length);
      this.#share.setBytes(session.pendingBytes);
      session.acknowledge();
    } catch (error) {
      this.#fault(error);
    }
    return this.#isClosing || session.phase !== 'deciding';
  }

  /** Continues after the gate has answered. */
  #resume(): void {
    this.#socket.resume();
    if (this.#reads && !this.#isClosing && this.#session.phase === 'publishing')
      this.#ticked ??= this.#options.ticks.join(this.#reads);
  }

  /** Ends this connection after an exception, which must not reach another stream of this thread. */
  #fault(error: unknown): void {
    this.#options.log.error('error in an RTMP connection', { peer: this.#options.peer, error: messageOf(error) });
    this.#drop({ code: 'internal', ...because('internal_error') });
  }

  #greet(handshake: HandshakePhase, bytes: Uint8Array, length: number): void {
    const used = handshake.push(bytes, length);
    if (used < 0) {
      this.#drop({ code: 'rtmp_bad_handshake', ...explainUnknownBytes(bytes.subarray(0, length)) });
      return;
    }
    if (!handshake.isDone) return;
    // The time limit of the publish command counts from the connection, not from the end of the handshake.
    this.#handshake = undefined;
    if (used < length) this.#session.push(bytes, used, length);
  }

  #sweepPublisher(nowMs: number, waitedMs: number): void {
    const { receivedBytes } = this.#session;
    if (receivedBytes !== this.#sweptBytes) {
      this.#sweptBytes = receivedBytes;
      this.#sinceMs = nowMs;
      this.#isPinged = false;
      return;
    }
    const { idleTimeoutMs } = this.#options.limits;
    if (waitedMs >= idleTimeoutMs) {
      this.#drop({ code: 'input_stalled', ...because('encoder_idle', { seconds: secondsOf(waitedMs) }) });
    } else if (!this.#isPinged && waitedMs >= idleTimeoutMs / 2) {
      this.#isPinged = true;
      this.#session.ping(nowMs);
    }
  }

  /** Drops a player that reads nothing. Without media, pings show whether it is still there. */
  #sweepPlayer(nowMs: number, waitedMs: number): void {
    const socket = this.#socket;
    const readBytes = socket.bytesWritten - socket.writableLength;
    if (readBytes !== this.#sweptBytes) {
      this.#sweptBytes = readBytes;
      this.#sinceMs = nowMs;
      return;
    }
    if (waitedMs < this.#options.limits.idleTimeoutMs) return;
    this.#sinceMs = nowMs;
    if (socket.writableLength > 0)
      this.#drop({ code: 'publish_closed', ...because('player_idle', { seconds: secondsOf(waitedMs) }) });
    else this.#session.ping(nowMs);
  }

  #write(bytes: Uint8Array): void {
    const socket = this.#socket;
    if (this.#isClosing || !socket.writable) return;
    if (this.#session.phase === 'playing') {
      this.#writeMedia(bytes);
      return;
    }
    if (socket.writableLength > this.#options.limits.maxUnsentBytes)
      this.#drop({ code: 'rtmp_bad_command', ...because('rtmp_replies_unread') });
    else socket.write(bytes);
  }

  /** Writes to a player. What is written in one turn is sent by one system call. */
  #writeMedia(bytes: Uint8Array): void {
    const socket = this.#socket;
    if (!this.#isCorked) {
      this.#isCorked = true;
      socket.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        socket.uncork();
      });
    }
    socket.write(bytes);
  }

  /** Handles a disconnect by the peer. */
  #lose(why: Explained): void {
    this.#finish({ code: 'publish_closed', ...why });
  }

  /** Ends the connection in order: sent data arrives, and the encoder has some time to close the connection. */
  #end(end: InputEnd): void {
    this.#session.announceEnd(end.detail);
    this.#finish(end);
    this.#socket.end();
    this.#socket.resume();
  }

  /** Ends the connection at once. */
  #drop(end: InputEnd): void {
    this.#finish(end);
    this.#socket.destroy();
  }

  #finish(end: InputEnd): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    if (this.#ticked) this.#options.ticks.leave(this.#ticked);
    this.#share.close();
    const isPublisher = this.#session.end(end);
    if (!isPublisher && end.code !== 'publish_closed')
      this.#options.log.warn(end.detail, { peer: this.#options.peer, code: end.code });
  }
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1000);
}
