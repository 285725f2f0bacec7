import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { RtspServer } from '../tests/helpers/rtsp-server.ts';
import type { BenchMedia } from './bench-media.ts';
import { freePort } from './free-port.ts';
import { stopChild } from './replay.ts';

/** Input protocol with its sender. */
export interface ProtocolSource {
  readonly name: string;
  /** True if our server listens for the sender, so that the sender must start last. */
  readonly isSenderLast: boolean;
  /** Input address of one stream for our server, by number; undefined if it is published to the live prefix. */
  ours(index: number): string | undefined;
  /** Arguments for ffmpeg as the peer, up to the input. */
  peer(index: number): readonly string[];
  /** True if the peer can write HLS from the source; otherwise it reads and discards the media. */
  readonly isPeerHls: boolean;
  /**
   * Starts the senders. Does nothing if the source is a file or a server, which runs since `make`.
   *
   * @param rtmpPort port of our server for publishers; undefined for the peer
   */
  send(rtmpPort: number | undefined): Promise<void>;
  stop(): Promise<void>;
}

/** A protocol that can be measured. */
export interface Protocol {
  readonly name: string;
  make(): Promise<ProtocolSource>;
}

/** Senders of all protocols, each for a number of streams. */
export function protocolSources(media: BenchMedia, workFolder: string, count: number): readonly Protocol[] {
  const mkv = join(workFolder, 'clip.mkv');
  if (!existsSync(mkv))
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-stream_loop', '9', '-i', media.flv, '-c', 'copy', mkv]);
  const sender = (
    name: string,
    output: (port: number) => readonly string[],
    address: (port: number) => string,
    isSenderLast = false,
  ): Protocol => ({
    name,
    make: async () => {
      const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
      const children: ChildProcess[] = [];
      const portOf = (index: number): number => ports[index] ?? 0;
      return {
        name,
        isSenderLast,
        isPeerHls: true,
        ours: (index) => address(portOf(index)),
        peer: (index) => ['-i', address(portOf(index)).replace('tshttp:', 'http:')],
        send: () => {
          for (const port of ports) children.push(ffmpegSender(media.flv, output(port)));
          return Promise.resolve();
        },
        stop: async () => {
          await Promise.all(children.splice(0).map((child) => stopChild(child, 'SIGKILL')));
        },
      };
    },
  });
  return [
    { name: 'RTMP, published', make: () => rtmpPublish(media, count) },
    sender(
      'MPEG-TS by UDP',
      (port) => ['-f', 'mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`],
      (port) => `udp://127.0.0.1:${port}`,
    ),
    sender(
      'MPEG-TS by HTTP',
      (port) => ['-f', 'mpegts', '-listen', '1', `http://127.0.0.1:${port}/live.ts`],
      (port) => `tshttp://127.0.0.1:${port}/live.ts`,
    ),
    sender(
      'SRT',
      (port) => ['-f', 'mpegts', `srt://127.0.0.1:${port}?mode=caller`],
      (port) => `srt://127.0.0.1:${port}?mode=listener`,
      true,
    ),
    { name: 'RTSP, pulled', make: () => rtspPull(mkv) },
    { name: 'HLS, pulled', make: () => hlsPull(media, workFolder) },
    { name: 'MPEG-TS file', make: () => files('MPEG-TS file', media.ts) },
    { name: 'Matroska file', make: () => files('Matroska file', mkv) },
  ];
}

function ffmpegSender(clip: string, output: readonly string[]): ChildProcess {
  return spawn(
    'ffmpeg',
    ['-v', 'error', '-nostdin', '-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', ...output],
    { stdio: 'ignore' },
  );
}

async function rtmpPublish(media: BenchMedia, count: number): Promise<ProtocolSource> {
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
  const children: ChildProcess[] = [];
  return {
    name: 'RTMP, published',
    isSenderLast: true,
    isPeerHls: true,
    ours: () => undefined,
    peer: (index) => ['-f', 'flv', '-listen', '1', '-i', `rtmp://127.0.0.1:${ports[index] ?? 0}/live/cam`],
    send: (rtmpPort) => {
      for (const [index, port] of ports.entries())
        children.push(
          ffmpegSender(media.flv, [
            '-f',
            'flv',
            rtmpPort === undefined
              ? `rtmp://127.0.0.1:${port}/live/cam`
              : `rtmp://127.0.0.1:${rtmpPort}/live/cam${index}`,
          ]),
        );
      return Promise.resolve();
    },
    stop: async () => {
      await Promise.all(children.splice(0).map((child) => stopChild(child, 'SIGKILL')));
    },
  };
}

async function rtspPull(mkv: string): Promise<ProtocolSource> {
  const server = await RtspServer.start(mkv);
  return {
    name: 'RTSP, pulled',
    isSenderLast: false,
    // RTSP transmits no decoding times, and ffmpeg cannot write HLS with B-frames without them.
    isPeerHls: false,
    ours: () => server.url,
    peer: () => ['-rtsp_transport', 'tcp', '-i', server.url],
    send: () => Promise.resolve(),
    stop: () => server.close(),
  };
}

async function hlsPull(media: BenchMedia, workFolder: string): Promise<ProtocolSource> {
  const folder = join(workFolder, 'origin');
  mkdirSync(folder, { recursive: true });
  const encoder = ffmpegSender(media.flv, [
    '-f',
    'hls',
    '-hls_time',
    '2',
    '-hls_list_size',
    '6',
    '-hls_flags',
    'delete_segments',
    join(folder, 'index.m3u8'),
  ]);
  const server: Server = createServer((request, response) => {
    createReadStream(join(folder, /[\w.-]+$/.exec(request.url ?? '')?.[0] ?? 'index.m3u8'))
      .on('error', () => response.writeHead(404).end())
      .pipe(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // A server on a TCP port has an `AddressInfo`.
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  while (!existsSync(join(folder, 'index2.ts'))) await new Promise((resolve) => setTimeout(resolve, 100));
  return {
    name: 'HLS, pulled',
    isSenderLast: false,
    isPeerHls: true,
    ours: () => `hls://${host}/index.m3u8`,
    peer: () => ['-i', `http://${host}/index.m3u8`],
    send: () => Promise.resolve(),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await stopChild(encoder, 'SIGKILL');
    },
  };
}

function files(name: string, path: string): Promise<ProtocolSource> {
  const source: ProtocolSource = {
    name,
    isSenderLast: false,
    isPeerHls: true,
    ours: () => `file://${path}`,
    peer: () => ['-re', '-stream_loop', '-1', '-i', path],
    send: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  };
  return Promise.resolve(source);
}
