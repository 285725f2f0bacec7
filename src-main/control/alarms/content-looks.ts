import type { LookInput, LookOutput } from '../../codec/jobs/look.ts';
import type { Clock } from '../../lib/clock.ts';
import { every } from '../../lib/timers.ts';
import { NOTHING_SEEN, seeContent, type Needs, type SeenContent } from '../../monitor/content.ts';
import type { LoudnessBlock } from '../../monitor/loudness/loudness-tally.ts';
import { RecentLoudness } from '../../monitor/loudness/recent-loudness.ts';
import { newestKeyFrame } from '../../packaging/mp4/key-frame.ts';
import { decodableSound, soundUnits } from '../../packaging/mp4/sound-units.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';

/** A stream that is looked at. */
export interface LookedAt {
  readonly name: string;
  readonly window: SegmentWindow;
  /** Which of its content alarms ask for. */
  readonly needs: Needs;
}

/** What looking works with. */
export interface ContentLooksOptions {
  readonly clock: Clock;
  /** The streams that alarms of picture or sound are asked for. */
  readonly streams: () => Iterable<LookedAt>;
  /** Decodes; a codec process does it. */
  readonly look: (input: LookInput) => Promise<LookOutput>;
  /** The loudness of a stream was measured, 100 ms after 100 ms. @param fromMs when the first of them began, epoch milliseconds */
  readonly measured: (name: string, fromMs: number, blocks: readonly LoudnessBlock[]) => void;
}

/** How often each stream is looked at, in milliseconds. */
const PERIOD_MS = 4000;
/** How often the next look is thought of, in milliseconds. */
const TURN_MS = 500;
/** Sound that is decoded at once, in milliseconds: what came since the last look, and a little. */
const MOST_SOUND_MS = 12_000;
/** What was seen longer ago says nothing, in milliseconds. */
const STALE_MS = 30_000;
/** Milliseconds of a block of loudness, and so much their time may be off: part of a block waits for the next look. */
const BLOCK_MS = 100;
const ADRIFT_MS = 500;

interface State {
  seen: SeenContent;
  lastLookMs: number;
  pictureKey: string;
  soundToMs: number;
  loudnessToMs: number;
  readonly loudness: RecentLoudness;
}

/** Looks at one stream after the other, so that a machine that is full measures less often and never falls behind. */
export class ContentLooks {
  readonly #options: ContentLooksOptions;
  readonly #states = new WeakMap<SegmentWindow, State>();
  readonly #stop: () => void;
  #passMs = 0;

  constructor(options: ContentLooksOptions) {
    this.#options = options;
    this.#stop = every(options.clock, TURN_MS, async () => this.pass());
  }

  /** How long it takes to look at all streams once, where that is longer than planned, in milliseconds; otherwise 0. */
  get lateMs(): number {
    return this.#passMs > PERIOD_MS ? this.#passMs : 0;
  }

  /** What was seen and heard lately; null where nothing was. */
  seen(window: SegmentWindow): SeenContent | null {
    const seen = this.#states.get(window)?.seen;
    return seen && this.#options.clock.now() - seen.atMs <= STALE_MS ? seen : null;
  }

  /** Looks at every stream whose time has come, one after the other. Never rejects. */
  async pass(): Promise<void> {
    const { clock, streams } = this.#options;
    const startMs = clock.now();
    for (const stream of streams()) {
      const state = this.#states.get(stream.window) ?? {
        ...{ seen: NOTHING_SEEN, lastLookMs: -Infinity, pictureKey: '', soundToMs: 0 },
        ...{ loudnessToMs: 0, loudness: new RecentLoudness() },
      };
      this.#states.set(stream.window, state);
      if (clock.now() - state.lastLookMs < PERIOD_MS) continue;
      state.lastLookMs = clock.now();
      try {
        await this.#look(stream, state);
      } catch {
        // What cannot be decoded has no alarms of content; what was seen before it is soon too old.
      }
    }
    this.#passMs = clock.now() - startMs;
  }

  close(): void {
    this.#stop();
  }

  async #look({ name, window, needs }: LookedAt, state: State): Promise<void> {
    const frame = needs.picture ? newestKeyFrame(window) : undefined;
    const isNew = frame !== undefined && frame.key !== state.pictureKey;
    const sound = needs.sound ? await newSound(name, window, needs, state) : null;
    const picture =
      frame && isNew ? { codec: frame.codec, decoderConfig: frame.decoderConfig, data: await frame.data() } : null;
    if (!picture && !sound) return;
    const look = await this.#options.look({ picture, sound });
    if (isNew) state.pictureKey = frame.key;
    const next = seeContent(state.seen, look, this.#options.clock.now());
    const { luma, blackSinceMs, frozenSinceMs, stillLooks, stillSinceMs, peakDb } = state.seen;
    const loudness = this.#loudness(name, look.loudness, state);
    // Of what there is nothing new, what was known holds on.
    state.seen = {
      ...next,
      ...(picture || !needs.picture ? {} : { luma, blackSinceMs, frozenSinceMs, stillLooks, stillSinceMs }),
      ...(sound || !needs.sound ? {} : { peakDb }),
      ...(loudness ? { loudness } : needs.loudness ? {} : { loudness: null }),
    };
  }

  #loudness(name: string, values: Float32Array | null, state: State): SeenContent['loudness'] {
    const blocks: LoudnessBlock[] = [];
    for (let at = 0; values && at + 2 < values.length; at += 3)
      blocks.push({
        momentary: levelOf(values[at]),
        shortTerm: levelOf(values[at + 1]),
        truePeak: levelOf(values[at + 2]) ?? LOWEST,
      });
    if (blocks.length === 0) return null;
    const lengthMs = blocks.length * BLOCK_MS;
    const fromMs =
      Math.abs(state.loudnessToMs + lengthMs - state.soundToMs) < ADRIFT_MS
        ? state.loudnessToMs
        : state.soundToMs - lengthMs;
    state.loudnessToMs = fromMs + lengthMs;
    this.#options.measured(name, fromMs, blocks);
    return state.loudness.next(blocks, this.#options.clock.now()) ?? null;
  }
}

/** The sound that came since the last look; null where there is none, or none that can be decoded. */
async function newSound(name: string, window: SegmentWindow, needs: Needs, state: State): Promise<LookInput['sound']> {
  const toMs = window.bounds()?.toMs ?? 0;
  const sound = await soundUnits(window, Math.max(state.soundToMs, toMs - MOST_SOUND_MS));
  const decodable = decodableSound(sound);
  if (!sound || !decodable) return null;
  state.soundToMs = sound.toMs;
  const place = needs.loudness ? { key: name, fromMs: sound.fromMs, toMs: sound.toMs } : null;
  return { ...decodable, place };
}

/** The level of digital silence, and the least that is said, in LUFS and dBTP. */
const LOWEST = -120;

function levelOf(value = NaN): number | null {
  return Number.isNaN(value) ? null : Math.max(LOWEST, value);
}
