import fc from 'fast-check';
import type { AccessUnit } from '../../src-main/media/access-unit.ts';
import type { Track } from '../../src-main/media/track.ts';
import { madeAudio, madeVideo } from './made-input.ts';
import type { StreamRun } from './stream-run.ts';

/** Ids of tracks that may be added and removed. */
const IDS = ['v1', 'v2', 'a1', 'a2', 'a3'] as const;
type TrackId = (typeof IDS)[number];

/** Next event. All times in milliseconds. */
export type TrackStep =
  | { readonly type: 'play'; readonly ms: number }
  /** Adds or removes a track, or changes its format. */
  | { readonly type: 'toggle' | 'change'; readonly id: TrackId }
  /** Sends no media for a while; the clock of the encoder continues. */
  | { readonly type: 'silence'; readonly ms: number }
  | { readonly type: 'idle' | 'restart' | 'crash' };

const anyStep: fc.Arbitrary<TrackStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('play' as const), ms: fc.integer({ min: 40, max: 9000 }) }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('toggle' as const), id: fc.constantFrom(...IDS) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('change' as const), id: fc.constantFrom(...IDS) }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('silence' as const), ms: fc.integer({ min: 40, max: 7000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('idle' as const, 'restart' as const, 'crash' as const) }) },
);

/** Any sequence of track events. */
export const anyTrackSteps = fc.array(anyStep, { minLength: 2, maxLength: 16 });

/** Delay of each track in milliseconds. */
export type Delays = Readonly<Record<TrackId, number>>;

/** Any delays that muxers cause. */
export const anyDelays: fc.Arbitrary<Delays> = fc.record({
  v1: fc.nat(700),
  v2: fc.nat(700),
  a1: fc.nat(700),
  a2: fc.nat(700),
  a3: fc.nat(700),
});

const FRAME_MS = 40;
const GOP_FRAMES = 50;

/**
 * Encoder of several tracks, with key frames at the same times in all renditions. Tracks are added and removed while its clock
 * continues.
 */
export class ChangingEncoder {
  readonly #stream: StreamRun;
  readonly #delays: Delays;
  /** Format of each existing track. */
  readonly #formats = new Map<TrackId, number>([
    ['v1', 0],
    ['a1', 0],
  ]);
  /** Formats of the last sent media. */
  #played: ReadonlyMap<TrackId, number> = new Map();
  #atMs = 0;
  /** Number of the first picture of the GOPs. */
  #firstKey = 0;
  /** Delayed units. */
  #late: { readonly unit: AccessUnit; readonly arrivesMs: number }[] = [];

  constructor(stream: StreamRun, delays: Delays) {
    this.#stream = stream;
    this.#delays = delays;
  }

  /** Existing tracks, video first. */
  get tracks(): Track[] {
    return IDS.flatMap((id) => {
      const format = this.#formats.get(id);
      return format === undefined ? [] : [trackOf(id, format)];
    });
  }

  /** Executes a step. */
  take(step: TrackStep): void {
    switch (step.type) {
      case 'play':
        this.#play(step.ms);
        return;
      case 'toggle':
        if (!this.#formats.delete(step.id)) this.#formats.set(step.id, 0);
        // At least one track must have media.
        if (this.#formats.size === 0) this.#formats.set('a1', 0);
        return;
      case 'change': {
        const format = this.#formats.get(step.id);
        if (format === undefined) return;
        this.#formats.set(step.id, format + 1);
        if (step.id.startsWith('v')) this.#firstKey = Math.ceil(this.#atMs / FRAME_MS);
        return;
      }
      case 'silence':
        this.#atMs += step.ms;
        this.#stream.clock.advance(step.ms);
        return;
      case 'idle':
        this.#stream.idle(3000);
        return;
      default:
        this.#stream[step.type]();
    }
  }

  #play(ms: number): void {
    // Delayed units of a track that is removed or changed are lost.
    this.#late = this.#late.filter(({ unit: { trackId } }) => {
      const id = trackId as TrackId;
      return this.#formats.has(id) && this.#formats.get(id) === this.#played.get(id);
    });
    this.#played = new Map(this.#formats);
    const [fromMs, toMs] = [this.#atMs, this.#atMs + ms];
    this.#atMs = toMs;
    const { tracks } = this;
    for (const track of tracks) {
      const delayMs = this.#delays[track.id as TrackId];
      for (const unit of this.#units(track, fromMs, toMs))
        this.#late.push({ unit, arrivesMs: unit.dtsTicks / 90 + delayMs });
    }
    this.#late.sort((a, b) => a.arrivesMs - b.arrivesMs);
    const count = this.#late.findIndex(({ arrivesMs }) => arrivesMs >= toMs);
    const come = this.#late.splice(0, count < 0 ? this.#late.length : count);
    this.#stream.playUnits(
      tracks,
      come.map(({ unit }) => unit),
    );
  }

  *#units(track: Track, fromMs: number, toMs: number): Generator<AccessUnit> {
    const isVideo = track.content === 'video';
    const stepMs = isVideo ? FRAME_MS : (track.samplesPerFrame * 1000) / track.sampleRate;
    for (let index = Math.ceil(fromMs / stepMs); index * stepMs < toMs; index++) {
      const ticks = Math.round(index * stepMs * 90);
      const isRandomAccess = !isVideo || (index - this.#firstKey) % GOP_FRAMES === 0;
      const data = Buffer.alloc(isVideo ? 300 : 60, index & 0xff);
      if (isVideo) data.writeUInt32BE(data.length - 4);
      yield { trackId: track.id, dtsTicks: ticks, ptsTicks: ticks, isRandomAccess, data };
    }
  }
}

/** Audio track of a format; formats may differ in their timescale. */
function trackOf(id: TrackId, format: number): Track {
  if (id.startsWith('v')) return madeVideo(id, format);
  const track = madeAudio(id, format % 3 === 2 ? 44_100 : 48_000);
  return { ...track, decoderConfig: Uint8Array.of(0x11, 0x90, format) };
}
