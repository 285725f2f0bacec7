import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { markedClip, type MarkedClipOptions } from './marked-clip.ts';

/** Destination and options of an encoder. */
export interface EncoderTarget {
  /** `rtmp://…`, `http://…/mpegts`, `udp://…` or `rtp://…`. */
  readonly url: string;
  /** Further arguments of ffmpeg before the output. */
  readonly arguments?: readonly string[];
  /** Whether the clip restarts at its end; otherwise the encoder ends at the end of the clip. */
  readonly isEndless?: boolean;
  /**
   * Whether the encoder serves its output at an `http://` address instead of sending it there. ffmpeg ends when its
   * client leaves, which the server does if the encoder of a busy machine stalls; ffmpeg is then restarted.
   */
  readonly isServing?: boolean;
}

/** Real encoder: ffmpeg that sends a marked clip in real time. */
export class EncoderProcess {
  #child: ChildProcess;
  #printed = '';
  #isStopped = false;

  private constructor(args: readonly string[], isServing: boolean) {
    const start = (): ChildProcess => {
      const child = spawn('ffmpeg', args, { stdio: ['ignore', 'ignore', 'pipe'] });
      child.stderr.on('data', (chunk: Buffer) => (this.#printed += chunk.toString()));
      child.once('exit', () => {
        if (isServing && !this.#isStopped) this.#child = start();
      });
      return child;
    };
    this.#child = start();
  }

  /** Starts to send a clip. The address determines the container. */
  static publish(target: EncoderTarget, clip: Partial<MarkedClipOptions> = {}): EncoderProcess {
    const { url } = target;
    const format = url.startsWith('rtmp:') ? 'flv' : url.startsWith('rtp:') ? 'rtp_mpegts' : 'mpegts';
    const http = target.isServing ? ['-listen', '1'] : ['-method', 'POST', '-chunked_post', '1'];
    const output = url.startsWith('http:') ? http : url.startsWith('udp:') ? ['-flush_packets', '1'] : [];
    const args = [
      '-v',
      'error',
      '-nostdin',
      '-re',
      ...(target.isEndless ? ['-stream_loop', '-1'] : []),
      '-i',
      markedClip(clip),
      '-c',
      'copy',
      ...(target.arguments ?? []),
      '-f',
      format,
      ...output,
      url,
    ];
    return new EncoderProcess(args, target.isServing === true);
  }

  /** Warnings and errors of the encoder. */
  get printed(): string {
    return this.#printed;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Suspends the encoder: the connection stays open without data. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** Waits for the end of the encoder. */
  async ended(): Promise<void> {
    if (this.isRunning) await once(this.#child, 'exit');
  }

  /** Ends the encoder: cleanly by default, or immediately like a power cut. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    this.#isStopped = true;
    if (!this.isRunning) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    if (signal === 'SIGTERM') this.#child.kill('SIGCONT');
    await ended;
  }
}
