import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { requirePeer } from '../../scripts/setup-peers.ts';
import { until } from './until.ts';

/** External RTSP server: GStreamer, which plays a Matroska file to each client from the start. */
export class RtspServer {
  readonly #child: ChildProcess;
  readonly #host: string;

  private constructor(child: ChildProcess, host: string) {
    this.#child = child;
    this.#host = host;
  }

  /** Starts the server on a free port. @param clip Matroska file with H.264 and AAC */
  static async start(clip: string): Promise<RtspServer> {
    const child = spawn(requirePeer('rtsp-server'), [join(import.meta.dirname, 'rtsp-server.py'), clip], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    const print = (chunk: Buffer): void => {
      printed += chunk.toString();
    };
    child.stdout.on('data', print);
    child.stderr.on('data', print);
    const port = await until(
      'RTSP server',
      () => /ready (\d+)/.exec(printed)?.[1],
      30_000,
      () => printed,
    );
    return new RtspServer(child, `127.0.0.1:${port}`);
  }

  /** Address without a login. */
  get url(): string {
    return `rtsp://${this.#host}/cam`;
  }

  /** Address with the login `user:password`. */
  lockedUrl(user: string): string {
    return `rtsp://${user}@${this.#host}/locked`;
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
