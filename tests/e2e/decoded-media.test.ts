import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { Mp4Pass } from '../../src-main/ingest/file/mp4-pass.ts';
import { FlvTagReader } from '../../src-main/media/containers/flv/flv-tag-reader.ts';
import { openMovie } from '../../src-main/media/containers/isobmff/movie-file.ts';
import { MpegTsReader } from '../../src-main/media/containers/mpegts/reader.ts';
import { ChunkStreamReader } from '../../src-main/media/containers/rtmp/chunk-stream-reader.ts';
import type { MediaSink } from '../../src-main/media/access-unit.ts';
import { ArchiveWindow } from '../../src-main/dvr/window/archive-window.ts';
import { OpenFiles } from '../../src-main/vod/thread/open-files.ts';
import { ArchiveStage } from '../helpers/archive-stage.ts';
import {
  decodeAll,
  outputsOf,
  type DecodedMedia,
  type DecodedTrack,
  type NamedBytes,
  type PacketTimes,
} from '../helpers/decoded-outputs.ts';
import { bytesOfMemory } from '../helpers/clip-folder.ts';
import { SAME_SPS_COUNT } from '../helpers/coded-source.ts';
import { damaged, type Damage } from '../helpers/damaged-bytes.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import {
  anyMutation,
  asChunkStream,
  asTransportStream,
  plainMutation,
  unmutated,
  type ArrivingBytes,
  type Mutation,
} from '../helpers/mutated-source.ts';
import { settled } from '../helpers/settled.ts';
import { anyStoredForm, asFile } from '../helpers/stored-source.ts';

// ffmpeg decodes every output to the same frames as the input, for inputs of any packaging, timing and parameter sets.

/** Number of random inputs. Set the variable to test longer with other inputs; a failure prints seed and path. */
const SEARCHED = process.env['AIRDESK_RUNS'];
const TIMEOUT_MS = Math.max(120_000, Number(SEARCHED ?? 0) * 10_000);
const RUNS = { numRuns: Number(SEARCHED ?? 6), ...(SEARCHED === undefined ? { seed: 20_428 } : {}) };

/** Maximum additional distance of audio from video (EBU R37), with times that jitter. */
const MAX_DELAY_SECONDS = 0.06;
const EXACT: Allowance = { missing: 0, wrong: 0 };
const folder = mkdtempSync(join(tmpdir(), 'airdesk-decoded-media-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Reader of an input that arrives in pieces. */
interface Reader {
  push(bytes: Uint8Array): void;
  flush(): void;
}

function rtmpReader(sink: MediaSink): Reader {
  const tags = new FlvTagReader(sink);
  const chunks = new ChunkStreamReader({
    message: (type, _, timestampMs, payload) => {
      tags.push(type, timestampMs, payload);
    },
    problem: (problem) => {
      sink.problem(problem);
    },
  });
  return {
    push: (bytes) => {
      chunks.push(bytes);
    },
    flush: () => undefined,
  };
}

/** Plays an input as a live stream that is recorded; returns the outputs of the live window and of the archive. */
async function liveOutputs(input: readonly ArrivingBytes[], open: (sink: MediaSink) => Reader): Promise<Outputs> {
  const stage = new ArchiveStage({ segmentMs: 1000 });
  const { stream } = stage;
  await stage.record();
  const startMs = stream.clock.now();
  const reader = open(stream.hub);
  for (const { atTicks, bytes } of input) {
    const lateMs = startMs + atTicks / 90 - stream.clock.now();
    if (lateMs > 0) {
      stream.clock.advance(lateMs);
      await settled();
    }
    stream.feed(() => {
      reader.push(bytes);
    });
  }
  stream.feed(() => {
    reader.flush();
  });
  stream.feed(() => {
    stream.hub.inputEnded();
  });
  await settled();
  const live = await outputsOf(stream.window);
  const bounds = stream.window.bounds();
  await stage.close();
  const range = { kind: 'range', fromMs: bounds?.fromMs ?? 0, toMs: bounds?.toMs ?? 0 } as const;
  const archive = await stage.playback.open('c/03', range, 2000);
  if (!(archive instanceof ArchiveWindow)) throw new Error(`there is no archive: ${JSON.stringify(archive)}`);
  const recorded = await outputsOf(archive);
  stage.playback.close();
  await stage.files.close();
  const problems = stream.problems.map(({ code, detail }) => `${code}: ${detail}`);
  return { problems, outputs: [...named('live', live), ...named('archive', recorded)] };
}

interface Outputs {
  readonly problems: readonly string[];
  readonly outputs: readonly NamedBytes[];
}

const named = (kind: string, outputs: readonly NamedBytes[]): NamedBytes[] =>
  outputs.map((output) => ({ ...output, name: `${kind} ${output.name}` }));

/** Outputs of a file. @param extension of its name */
async function fileOutputs(bytes: Uint8Array, extension = 'ts'): Promise<Outputs> {
  const files = new OpenFiles({ clock: new FakeClock() });
  try {
    writeFileSync(join(folder, `clip.${extension}`), bytes);
    files.apply([{ prefix: 'clips', roots: [folder], segmentMs: 2000 }]);
    const found = await files.open(`clips/clip.${extension}`);
    if ('code' in found) throw new Error(`${found.code}: ${found.detail}`);
    return { problems: [], outputs: named('VOD', await outputsOf(found.window)) };
  } finally {
    await files.close();
  }
}

/**
 * Numbers of frames of a track that an output may lack, and that may be decoded wrongly because a reference is missing.
 */
interface Allowance {
  readonly missing: number;
  readonly wrong: number;
}

/** Faults of one track of an output. */
function faultsOf(kind: 'video' | 'audio', plain: DecodedTrack, found: DecodedTrack, allowed: Allowance): string[] {
  let at = 0;
  let right = 0;
  for (const digest of found.digests) {
    const next = plain.digests.indexOf(digest, at);
    if (next < 0) continue;
    right++;
    at = next + 1;
  }
  const [all, decoded] = [plain.digests.length, found.digests.length];
  if (decoded > all || decoded < all - allowed.missing || right < decoded - allowed.wrong)
    return [`${decoded} of ${all} decoded, ${right} right`];
  const { packets } = found;
  const back = packets.findIndex(({ dts, pts }, index) => dts <= (packets[index - 1]?.dts ?? -1) || pts < dts - 1e-4);
  if (back >= 0) return [`packet ${back} is decoded at ${packets[back]?.dts} after ${packets[back - 1]?.dts}`];
  if (kind === 'video' && String(ranksOf(packets)) !== String(ranksOf(plain.packets)))
    return ['another order of presentation'];
  return [];
}

/** Index of each packet in presentation order. */
function ranksOf(packets: readonly PacketTimes[]): number[] {
  const sorted = packets.map(({ pts }) => pts).sort((a, b) => a - b);
  return packets.map(({ pts }) => sorted.indexOf(pts));
}

/** Delay of the last audio relative to the last picture, compared with the input, in seconds. */
function delayOf(plain: DecodedMedia, found: DecodedMedia): number {
  const [video, audio] = (['video', 'audio'] as const).map((kind) => {
    const [expected, packets] = [plain[kind].packets, found[kind].packets].map((list) =>
      Math.max(...list.map(({ pts }) => pts)),
    );
    return (packets ?? NaN) - (expected ?? NaN);
  });
  return (audio ?? NaN) - (video ?? NaN);
}

/** Differences of the outputs from the input. */
function allFaults(
  { outputs, problems }: Outputs,
  plain: DecodedMedia,
  decoded: readonly DecodedMedia[],
  changes: number,
): string[] {
  // Audio may start with the first picture of a format: its first frames may be missing, and one frame overlaps a
  // missing one.
  const sound = { missing: 4 + changes * 8, wrong: 1 + changes * 2 };
  const all = new Map<string, DecodedMedia>();
  for (const [index, { name }] of outputs.entries()) {
    const key = name.replace(/ [va]\d \d+$/, '');
    const one = all.get(key) ?? { video: { digests: [], packets: [] }, audio: { digests: [], packets: [] } };
    all.set(key, one);
    for (const kind of ['video', 'audio'] as const) {
      one[kind].digests.push(...(decoded[index]?.[kind].digests ?? []));
      one[kind].packets.push(...(decoded[index]?.[kind].packets ?? []));
    }
  }
  const faults = [...all].flatMap(([name, media]) => {
    const tracks = (['video', 'audio'] as const).flatMap((kind) =>
      faultsOf(kind, plain[kind], media[kind], kind === 'audio' ? sound : EXACT).map(
        (fault) => `${name}: ${kind}: ${fault}`,
      ),
    );
    const delay = delayOf(plain, media);
    return Math.abs(delay) < MAX_DELAY_SECONDS || tracks.length > 0 ? tracks : [`${name}: sound is ${delay} s late`];
  });
  return [...problems, ...faults];
}

const together = (input: readonly ArrivingBytes[]): Buffer => Buffer.concat(input.map(({ bytes }) => bytes));

/** Number of GOPs that need another init segment than the one before. */
function formatChanges({ variants }: Mutation): number {
  return variants.filter(
    (variant, at) =>
      at > 0 && variant !== variants[at - 1] && Math.max(variant, variants[at - 1] ?? 0) >= SAME_SPS_COUNT,
  ).length;
}

/** Faults of all outputs of an input, against the same source without mutations. */
function faults(mutation: Mutation, found: Outputs): string[] {
  const plain: NamedBytes = { name: 'input', format: 'ts', bytes: together(asTransportStream(unmutated(mutation))) };
  const { files, complaints } = decodeAll([plain, ...found.outputs]);
  const [expected, ...decoded] = files;
  if (!expected) throw new Error('nothing was decoded');
  return [...allFaults(found, expected, decoded, formatChanges(mutation)), ...(complaints === '' ? [] : [complaints])];
}

/** Outputs of an MP4 file as a live input. */
async function liveFileOutputs(bytes: Buffer): Promise<Outputs> {
  const calls: { readonly atTicks: number; readonly make: (sink: MediaSink) => void }[] = [];
  let atTicks = 0;
  const add = (make: (sink: MediaSink) => void): unknown => calls.push({ atTicks, make });
  const recorder: MediaSink = {
    tracks: (tracks) => add((sink) => sink.tracks(tracks)),
    accessUnit: (unit) => {
      const copy = { ...unit, data: Uint8Array.from(unit.data) };
      atTicks = unit.dtsTicks;
      add((sink) => sink.accessUnit(copy));
    },
    splice: () => undefined,
    problem: (problem) => add((sink) => sink.problem(problem)),
  };
  const file = bytesOfMemory(bytes);
  const movie = await openMovie(file);
  if (typeof movie === 'string') throw new Error(movie);
  const pass = new Mp4Pass(file, movie, recorder, () => undefined);
  while (await pass.step());
  const input = calls.map((call): ArrivingBytes => ({ atTicks: call.atTicks, bytes: new Uint8Array(0) }));
  return liveOutputs(input, (sink) => ({ push: () => calls.shift()?.make(sink), flush: () => undefined }));
}

/** Input whose audio is ahead by more than the maximum length of a segment when the picture changes its format. */
function soundAhead(codec: Mutation['codec']): Mutation {
  return {
    codec,
    variants: [0, 4, 0],
    sets: 'change',
    startTicks: 0,
    pictureJitterTicks: [0],
    soundJitterTicks: [450, -450],
    delimiters: [true],
    lengths: [7519, 1, 'picture'],
    timed: [false],
    hasDts: false,
    bounded: [false],
    soundFrames: [7, 7],
    chunkBytes: [1],
    isConfigured: false,
    framing: 'lengths of 4 bytes',
  };
}

describe.each(['h264', 'h265'] as const)('outputs of %s and AAC', (codec) => {
  const property = (
    run: (mutation: Mutation) => Promise<Outputs>,
    mutations: fc.Arbitrary<Mutation> = anyMutation(codec),
    examples: [Mutation][] = [],
  ): Promise<void> =>
    fc.assert(
      fc.asyncProperty(mutations, async (mutation) => {
        expect(faults(mutation, await run(mutation))).toEqual([]);
      }),
      { ...RUNS, examples },
    );

  it(
    'of a live MPEG-TS input decode to the frames of the input',
    async () => {
      await property(
        (mutation) => liveOutputs(asTransportStream(mutation), (sink) => new MpegTsReader(sink, { isLive: true })),
        undefined,
        [[soundAhead(codec)]],
      );
    },
    TIMEOUT_MS,
  );

  it(
    'of an RTMP publisher decode to the frames of the publisher',
    async () => {
      await property((mutation) => liveOutputs(asChunkStream(mutation), rtmpReader));
    },
    TIMEOUT_MS,
  );

  // Files whose pictures change format are refused, so all variants use one format.
  const inFile = anyMutation(codec).map((mutation) => ({
    ...mutation,
    variants: mutation.variants.map((variant) => variant % SAME_SPS_COUNT),
  }));

  it(
    'of an MPEG-TS file decode to the frames of the file',
    async () => {
      await property(async (mutation) => fileOutputs(together(asTransportStream(mutation))), inFile);
    },
    TIMEOUT_MS,
  );

  it(
    'of MP4 and Matroska files of any form decode to the pictures of the file',
    async () => {
      const form = anyStoredForm(codec);
      await fc.assert(
        fc.asyncProperty(form, async (stored) => {
          const bytes = asFile(stored);
          const isMatroska = stored.container === 'mkv';
          const found = [await fileOutputs(bytes, isMatroska ? 'mkv' : 'mp4')];
          if (!isMatroska) found.push(await liveFileOutputs(bytes));
          const source = together(asTransportStream(plainMutation(codec, stored.variants)));
          const outputs = found.flatMap((one) => one.outputs);
          const plain: NamedBytes = { name: 'input', format: 'ts', bytes: source };
          const { files, complaints } = decodeAll([plain, ...outputs]);
          const [expected, ...decoded] = files;
          if (!expected) throw new Error('nothing was decoded');
          const wrong = outputs.flatMap(({ name }, index) =>
            faultsOf('video', expected.video, decoded[index]!.video, EXACT).map((fault) => `${name}: ${fault}`),
          );
          expect([...found.flatMap(({ problems }) => problems), ...wrong, complaints]).toEqual(['']);
        }),
        RUNS,
      );
    },
    TIMEOUT_MS,
  );

  it(
    'of a file that lost packets contain as many undamaged pictures as the file',
    async () => {
      const places = fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 5, maxLength: 15 });
      await fc.assert(
        fc.asyncProperty(places, async (lost) => {
          const input = asTransportStream(plainMutation(codec, [0, 1, 0, 2]));
          const damages = lost.map((at): Damage => ({ at, kind: 'lost', count: 1 }));
          const file = together(damaged(input, damages));
          const { outputs } = await fileOutputs(file);
          const sources: NamedBytes[] = [
            { name: 'input', format: 'ts', bytes: together(input) },
            { name: 'file', format: 'ts', bytes: file },
          ];
          const [plain, ...decoded] = decodeAll([...sources, ...outputs]).files;
          const all = new Set(plain?.video.digests);
          const [expected = 0, ...found] = decoded
            .filter(({ video }) => video.digests.length > 0)
            .map(({ video }) => video.digests.filter((digest) => all.has(digest)).length);
          expect(found.length).toBeGreaterThan(2);
          expect(found.filter((count) => count < expected)).toEqual([]);
        }),
        RUNS,
      );
    },
    TIMEOUT_MS,
  );
});
