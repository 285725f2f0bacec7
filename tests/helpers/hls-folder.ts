import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src-main/lib/clock.ts';
import type { InputSink } from '../../src-main/ingest/input.ts';
import { parseHlsAddress } from '../../src-main/ingest/hls/hls-address.ts';
import type { ByteBudget } from '../../src-main/ingest/byte-budget.ts';
import { HlsInput } from '../../src-main/ingest/hls/hls-input.ts';
import { FastClock } from './fast-clock.ts';
import { makeFiles, probeMade } from './made-media.ts';

/** Folder of presentations created by ffmpeg, and a server for it. Handlers take precedence over files. */
export class HlsFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'airdesk-hls-'));
  readonly handlers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  /** Requested paths with queries, in order. */
  readonly requests: string[] = [];
  readonly #servers: Server[] = [];
  readonly #inputs: HlsInput[] = [];

  /** Creates a presentation of a test picture and a tone. */
  make(name: string, options: readonly string[], seconds = 6): void {
    const picture = ['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=25:d=${seconds}`];
    const tone = ['-f', 'lavfi', '-i', `sine=r=48000:d=${seconds}`];
    const args = [...picture, ...tone, '-shortest', ...options, '-f', 'hls', name];
    // The test writes the key file, so the result cannot be cached.
    if (options.includes('-hls_key_info_file'))
      execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: this.path });
    else makeFiles(this.path, args);
  }

  /** Audio of a file as raw ADTS. */
  demux(name: string): Buffer {
    return execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-i', name, '-c', 'copy', '-f', 'adts', '-'], {
      cwd: this.path,
      maxBuffer: 1 << 26,
    });
  }

  file(name: string): Buffer {
    return readFileSync(join(this.path, name));
  }

  /** Packets that ffprobe lists of one stream of a playlist, or of `concat:` files of this folder, in 90 kHz ticks. */
  probe(name: string, stream: string): { readonly dts: number; readonly pts: number }[] {
    const args = ['-allowed_extensions', 'ALL', '-select_streams', stream, '-show_packets', '-show_streams'];
    const [, joined] = name.split('concat:');
    const files = joined?.split('|') ?? [name, ...this.#listed(name)];
    const out = probeMade({ folder: this.path, files }, [...args, '-of', 'json', name]);
    // The type of the output of ffprobe is not checked.
    const { packets, streams } = JSON.parse(out) as {
      packets: { dts: number; pts: number }[];
      streams: { time_base: string }[];
    };
    const timescale = Number(streams[0]?.time_base.split('/')[1]);
    const ticks = (time: number): number => Math.round((time * 90_000) / timescale);
    return packets.map(({ dts, pts }) => ({ dts: ticks(dts), pts: ticks(pts) }));
  }

  /** Files that a playlist references: segments, init segments and keys. */
  #listed(name: string): string[] {
    const text = this.file(name).toString();
    const uris = [...text.matchAll(/^(?!#)(.+)$|URI="([^"]+)"/gm)].map(([, line, uri]) => line ?? uri ?? '');
    return [...new Set(uris)];
  }

  /** Starts a server; its address ends without a slash. */
  async serve(listener: RequestListener = this.#answer): Promise<string> {
    const server = createServer((request, response) => {
      this.requests.push(request.url ?? '');
      listener(request, response);
    });
    this.#servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A server on a TCP port has an `AddressInfo`.
    return `hls://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Opens an input. */
  open(
    address: string,
    sink: InputSink,
    options: Readonly<Record<string, string>> = {},
    clock: Clock = new FastClock(),
    budget?: ByteBudget,
  ): HlsInput {
    const settings = parseHlsAddress(address, options);
    if ('code' in settings) throw new Error(settings.detail);
    const input = new HlsInput({ settings, clock, ...(budget ? { budget } : {}) }, sink);
    this.#inputs.push(input);
    input.start();
    return input;
  }

  /** Closes inputs and servers; the files are kept. */
  async reset(): Promise<void> {
    await Promise.all(this.#inputs.splice(0).map((input) => input.close()));
    for (const server of this.#servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
    this.handlers.clear();
    this.requests.length = 0;
  }

  async close(): Promise<void> {
    await this.reset();
    rmSync(this.path, { recursive: true });
  }

  readonly #answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    const handler = this.handlers.get(path);
    if (handler) handler(request, response);
    else if (existsSync(join(this.path, path))) sendRange(this.file(path), request, response);
    else response.writeHead(404).end();
  };
}

function sendRange(bytes: Buffer, request: IncomingMessage, response: ServerResponse): void {
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  if (!range) response.end(bytes);
  else response.writeHead(206).end(bytes.subarray(Number(range[1]), Number(range[2]) + 1));
}

/** Options of ffmpeg for a fast encoding with B-frames, and audio. */
export const FAST = [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-bf',
  '2',
  '-g',
  '25',
  '-threads',
  '1',
  '-c:a',
  'aac',
  '-hls_time',
  '2',
];
