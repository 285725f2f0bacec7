import type { Browser } from 'playwright-core';
import { PageServer } from '../../tests/helpers/page-server.ts';
import { startBrowser } from '../../tests/helpers/start-browser.ts';
import type { BenchContext } from '../context.ts';
import { ffmpegViewer, firstPicture, pageViewer, RETRY_MS, type Viewer } from '../first-picture.ts';
import { HttpPlayer } from '../http-player.ts';
import { startReplay } from '../replay.ts';
import { figuresOf, type Row } from '../row.ts';
import type { Target } from '../target.ts';

const ROUNDS = 7;
const QUICK_ROUNDS = 3;
/** Polling interval of the player, in milliseconds. The figures are too high by at most this interval. */
const EVERY_MS = 10;
const TIMEOUT_MS = 20_000;
const GOP_SECONDS = 2;

/**
 * Startup delay of a new stream: from the publisher's connect to the first playlist, and from the first byte to the first
 * picture.
 */
export async function start(context: BenchContext): Promise<Row[]> {
  return [...(await playlists(context)), ...(await pictures(context))];
}

async function playlists(context: BenchContext): Promise<Row[]> {
  const ours = await context.ours.start();
  const peer = await context.peer?.start();
  const parts: number[] = [];
  const segments: number[] = [];
  const peerSegments: number[] = [];
  try {
    for (let round = 0; round < roundsOf(context); round++) {
      context.say(`start: round ${round + 1}`);
      const found = await firstOf(context, ours, round, [/INDEPENDENT=YES/, OWN_SEGMENT]);
      parts.push(found[0] ?? Number.NaN);
      segments.push(found[1] ?? Number.NaN);
      if (peer) peerSegments.push((await firstOf(context, peer, round, [/#EXTINF:/]))[0] ?? Number.NaN);
    }
  } finally {
    await ours.stop();
    await peer?.stop();
  }
  return [
    rowOf('connect to first part in a playlist', parts, undefined, { target: 0.7 }),
    rowOf('connect to first segment in a playlist', segments, peerSegments, { target: GOP_SECONDS + 0.2 }),
  ];
}

/** A segment with parts. Segments before the start of the stream have none. */
const OWN_SEGMENT = /#EXT-X-PART:[^\n]*(?<!GAP=YES)\n#EXTINF:/;

/** Seconds from the connect to the first playlist that contains each of the texts. */
async function firstOf(
  context: BenchContext,
  server: Target,
  round: number,
  texts: readonly RegExp[],
): Promise<number[]> {
  const player = new HttpPlayer(server.httpPort);
  const prefix = `start${round}-`;
  const path = server.playlist(`${prefix}1`);
  const found = texts.map((text) => player.until(path, text, EVERY_MS, TIMEOUT_MS));
  const replay = await startReplay({
    flv: context.media.flv,
    port: server.rtmpPort,
    app: server.app,
    prefix,
    count: 1,
  });
  try {
    const replies = await Promise.all(found);
    return replies.map(({ atMs }) => (atMs - replay.connectMs) / 1000);
  } finally {
    await replay.stop();
    player.close();
  }
}

/** Player to measure, its file on our server, and whether the peer is measured too. */
interface PlayerKind {
  readonly name: string;
  /** File of ours; the peer has one playlist per stream. */
  readonly file: string;
  readonly hasPeer: boolean;
  readonly viewer: (browser: Browser, pages: PageServer) => Viewer;
}

const RETRY_OPTIONS = {
  streaming: { retryIntervals: { MPD: RETRY_MS }, retryAttempts: { MPD: TIMEOUT_MS / RETRY_MS } },
};
const PLAYERS: readonly PlayerKind[] = [
  {
    name: 'hls.js',
    file: 'index.m3u8',
    hasPeer: true,
    viewer: (browser, pages) => pageViewer(browser, pages, 'hlsjs', { retryMs: RETRY_MS }),
  },
  {
    name: 'dash.js',
    file: 'index.mpd',
    hasPeer: false,
    viewer: (browser, pages) => pageViewer(browser, pages, 'dashjs', RETRY_OPTIONS),
  },
  { name: 'ffmpeg by HLS', file: 'index.m3u8', hasPeer: true, viewer: ffmpegViewer },
];

/** Measures the time from the first byte of ffmpeg as encoder to the first picture of a viewer who waits for the stream. */
async function pictures(context: BenchContext): Promise<Row[]> {
  const pages = await PageServer.start();
  const browser = await startBrowser();
  const ours = new Map<string, number[]>();
  const theirs = new Map<string, number[]>();
  const cold: number[] = [];
  const stalls = new Map<string, number[]>();
  const measurePicture = async (server: Target, kind: PlayerKind, path: string, stream: string): Promise<number> => {
    const { seconds, stalls: count } = await firstPicture(
      server,
      kind.viewer(browser, pages),
      context.media.flv,
      path,
      stream,
    );
    if (server.name === 'airdesk') append(stalls, kind.name, count);
    return seconds;
  };
  try {
    for (let round = 0; round < roundsOf(context); round++) {
      context.say(`start: pictures, round ${round + 1}`);
      // A new server for each round, so that the measured stream is its first one.
      const server = await context.ours.start();
      const peer = await context.peer?.start();
      const [hls] = PLAYERS;
      try {
        const path = (kind: PlayerKind, stream: string): string => `/${server.app}/${stream}/${kind.file}`;
        if (hls) cold.push(await measurePicture(server, hls, path(hls, 'cold'), 'cold'));
        for (const [index, kind] of PLAYERS.entries()) {
          const stream = `picture${index}`;
          append(ours, kind.name, await measurePicture(server, kind, path(kind, stream), stream));
          if (peer && kind.hasPeer)
            append(theirs, kind.name, await measurePicture(peer, kind, peer.playlist(stream), stream));
        }
      } finally {
        await server.stop();
        await peer?.stop();
      }
    }
  } finally {
    await browser.close();
    await pages.close();
  }
  const stallsOf = (kind: string): string => `stalls in the first 3 s: ${stalls.get(kind)?.join(', ') ?? ''}`;
  return [
    rowOf('first byte to picture in hls.js, server just started', cold, undefined, {}),
    ...PLAYERS.map(({ name }, index) =>
      rowOf(`first byte to picture in ${name}`, ours.get(name) ?? [], theirs.get(name), {
        ...(index === 0 ? { target: 1.2 } : {}),
        note: stallsOf(name),
      }),
    ),
  ];
}

function append(values: Map<string, number[]>, name: string, value: number): void {
  values.set(name, [...(values.get(name) ?? []), value]);
}

function roundsOf({ isQuick }: BenchContext): number {
  return isQuick ? QUICK_ROUNDS : ROUNDS;
}

function rowOf(
  name: string,
  ours: readonly number[],
  peer: readonly number[] | undefined,
  rest: Pick<Row, 'target' | 'note'>,
): Row {
  return { section: 'start', name, unit: 's', better: 'lower', ...figuresOf(ours, peer), ...rest };
}
