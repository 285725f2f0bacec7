import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { clipOf } from '../../tests/helpers/ad-windows.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { USUAL_RULES, type AdDecision } from '../../src-main/ads/decision/ad-decision.ts';
import type { AdOutput } from '../../src-main/ads/ad-output.ts';
import { viewerOutput } from '../../src-main/ads/viewer-output.ts';
import { StreamOutput } from '../../src-main/delivery/stream-output.ts';
import { mediaPlaylistSteps } from '../../src-main/packaging/hls/media-playlist.ts';
import { runAtOnce } from '../../src-main/lib/turns.ts';
import type { BenchContext } from '../context.ts';
import { figuresOf, type Row } from '../row.ts';

const SESSIONS = 10_000;
const QUICK_SESSIONS = 1000;
const ROUNDS = 7;
/** Number of segments during which the sessions start, before the first measurement. */
const JOIN_SEGMENTS = 30;
/** Durations of the clips in seconds: a preroll and two midrolls. */
const CLIP_SECONDS = [10, 5, 15];
const SEGMENT_MS = 2000;
/** Input of a stream. It is longer than all measurements. */
const INPUT = {
  video: { fps: 25, gopFrames: 25, bFrames: 0 },
  audio: { sampleRate: 48_000, lateMs: 0 },
  seconds: 4 * JOIN_SEGMENTS,
};
const TRACKS = ['v1', 'a1'];

/**
 * Measures the cost of a playlist for a viewer with advertisements, compared with the playlist of the stream, and the memory
 * of a session with advertisements. Runs in this process, without sockets.
 */
export async function ads(context: BenchContext): Promise<Row[]> {
  const count = context.isQuick ? QUICK_SESSIONS : SESSIONS;
  context.say(`ads: ${count} sessions in this process`);
  const stream = new Stream();
  for (let segment = 0; segment < JOIN_SEGMENTS; segment++) stream.grow();
  const plain = Array.from({ length: count }, () => stream.output);
  const separate = crowd('separate', count);
  const inPlace = crowd('in_place', count);
  const kinds = { plain: { outputs: plain, stream }, separate, in_place: inPlace };
  const micros: Record<keyof typeof kinds, number[]> = { plain: [], separate: [], in_place: [] };
  // The kinds alternate in each round, so that a slower machine affects all of them.
  for (let round = -1; round < ROUNDS; round++)
    for (const kind of ['plain', 'separate', 'in_place'] as const) {
      const each = cost(kinds[kind]);
      if (round >= 0) micros[kind].push(each);
    }
  const row = (name: string, kind: 'separate' | 'in_place'): Row => {
    return {
      section: 'ads',
      name,
      unit: 'µs',
      better: 'lower' as const,
      target: { ofPeer: 2 },
      ...figuresOf(micros[kind], micros.plain),
      note: 'peer: the playlist of the stream, rendered for each viewer',
    };
  };
  const memory = (name: string, { bytesEach }: typeof separate): Row => ({
    section: 'ads',
    name,
    unit: 'kB',
    better: 'lower',
    ours: bytesEach / 1000,
    target: 5,
  });
  return Promise.resolve([
    row('media playlist, clips as separate segments', 'separate'),
    row('media playlist, clips inside the segments', 'in_place'),
    memory('memory of a session, clips as separate segments', separate),
    memory('memory of a session, clips inside the segments', inPlace),
  ]);
}

interface Crowd {
  readonly outputs: readonly StreamOutput[];
  readonly stream: Stream;
}

/** Creates viewers who start one after another and load a playlist with each segment. A third of them are in a break. */
function crowd(form: AdDecision['form'], count: number): Crowd & { readonly bytesEach: number } {
  const stream = new Stream();
  const tracks = stream.output.window.tracks.map(({ track }) => track);
  const clips = new Map(
    CLIP_SECONDS.map((seconds, index) => [`ads/${index}`, clipOf(`ads/${index}`, seconds, tracks)]),
  );
  const decision: AdDecision = {
    form,
    prerolls: ['ads/0'],
    midrolls: ['ads/1', 'ads/2'],
    insertBy: 'interval',
    intervalMs: 40_000,
    rules: USUAL_RULES,
  };
  const before = heapBytes();
  const outputs: AdOutput[] = [];
  for (let segment = 0; segment < JOIN_SEGMENTS; segment++) {
    stream.grow();
    while (outputs.length < ((segment + 1) * count) / JOIN_SEGMENTS)
      outputs.push(
        viewerOutput({
          live: stream.output,
          decision,
          clips: (path) => clips.get(path) ?? { path, reason: 'clip_not_found', detail: '' },
          delivered: () => undefined,
        }),
      );
    for (const output of outputs) load(output);
  }
  return { outputs, stream, bytesEach: (heapBytes() - before) / count };
}

/** Microseconds of processor time for one playlist, after another segment of the stream. */
function cost({ outputs, stream }: Crowd): number {
  stream.grow();
  const before = process.threadCpuUsage();
  for (const output of outputs) load(output);
  const used = process.threadCpuUsage(before);
  return (used.user + used.system) / outputs.length / TRACKS.length;
}

/** Renders the playlists of both tracks for one viewer, without cached texts. */
function load({ window, marks }: StreamOutput): void {
  for (const trackId of TRACKS) runAtOnce(mediaPlaylistSteps(window, { trackId, marks }));
}

/** Live stream with video and audio, without a network. */
class Stream {
  readonly #run = new StreamRun();
  readonly #play = this.#run.playing(INPUT);
  readonly output = new StreamOutput('cam', this.#run.window);
  #playedMs = 0;

  constructor() {
    for (let segment = 0; segment < 8; segment++) this.grow();
  }

  grow(): void {
    this.#playedMs += SEGMENT_MS;
    this.#play(this.#playedMs);
  }
}

function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  // The flag adds the function to contexts created after it.
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
