import type { ProbeInput, ProbeOutput } from '../../codec/jobs/probe.ts';
import type { Clock } from '../../lib/clock.ts';
import { every } from '../../lib/timers.ts';
import type { StreamRules } from '../../monitor/alarm-rules.ts';
import {
  isSameScene,
  addSound,
  NOTHING_PROBED,
  PROBE_VALID_MS,
  addPicture,
  type Needs,
  type ProbedContent,
} from '../../monitor/content.ts';
import type { LoudnessBlock } from '../../monitor/loudness/loudness-tally.ts';
import { RecentLoudness } from '../../monitor/loudness/recent-loudness.ts';
import { keyFramesBack, type WindowKeyFrame } from '../../packaging/mp4/key-frame.ts';
import { decodableSound, soundUnits } from '../../packaging/mp4/sound-units.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';

export interface StreamToProbe {
  readonly name: string;
  readonly window: SegmentWindow;
  /** Content that its alarms need. */
  readonly needs: Needs;
  readonly rules: StreamRules;
}

export interface ContentProbesOptions {
  readonly clock: Clock;
  /** Streams with alarms on picture or sound. */
  readonly streams: () => Iterable<StreamToProbe>;
  /** Decodes in a codec process. */
  readonly probe: (input: ProbeInput) => Promise<ProbeOutput>;
  /** Receives the measured loudness of a stream in steps of 100 ms. @param fromMs start of the first block, epoch milliseconds */
  readonly measured: (name: string, fromMs: number, blocks: readonly LoudnessBlock[]) => void;
}

/** Interval between two probes of a stream, in milliseconds. */
const PERIOD_MS = 4000;
/** Interval between two checks for due probes, in milliseconds. */
const CHECK_MS = 500;
/**
 * Maximum age of content in a probe, in milliseconds: the maximum length of sound that is decoded at once, and the range in
 * which pictures are searched.
 */
const STALE_MS = 30_000;
const MAX_PICTURES = 40;
/** Length of a loudness block, and tolerance of its time, in milliseconds. An incomplete block waits for the next probe. */
const BLOCK_MS = 100;
const MAX_DRIFT_MS = 500;

interface State {
  recentContent: ProbedContent;
  lastProbeMs: number;
  /** Newest probed key frame, with its time on the timeline of the window. */
  picture: Pick<WindowKeyFrame, 'key' | 'atMs'> | undefined;
  soundToMs: number;
  loudnessToMs: number;
  readonly loudness: RecentLoudness;
}

/** Probes streams in sequence, so that an overloaded machine probes each stream less often instead of accumulating work. */
export class ContentProbes {
  readonly #options: ContentProbesOptions;
  readonly #states = new WeakMap<SegmentWindow, State>();
  readonly #stop: () => void;
  #passMs = 0;

  constructor(options: ContentProbesOptions) {
    this.#options = options;
    this.#stop = every(options.clock, CHECK_MS, async () => this.pass());
  }

  /** Duration of one pass over all streams if it is longer than the interval, in milliseconds; otherwise 0. */
  get lateMs(): number {
    return this.#passMs > PERIOD_MS ? this.#passMs : 0;
  }

  /** Content probed recently; null if there is none. */
  recentContent(window: SegmentWindow): ProbedContent | null {
    const recentContent = this.#states.get(window)?.recentContent;
    return recentContent && this.#options.clock.now() - recentContent.atMs <= STALE_MS ? recentContent : null;
  }

  /** Probes the due streams in sequence. Never rejects. */
  async pass(): Promise<void> {
    const { clock, streams } = this.#options;
    const startMs = clock.now();
    for (const stream of streams()) {
      const state = this.#states.get(stream.window) ?? {
        recentContent: NOTHING_PROBED,
        lastProbeMs: -Infinity,
        picture: undefined,
        soundToMs: 0,
        loudnessToMs: 0,
        loudness: new RecentLoudness(),
      };
      this.#states.set(stream.window, state);
      if (clock.now() - state.lastProbeMs < PERIOD_MS) continue;
      state.lastProbeMs = clock.now();
      try {
        await this.#probe(stream, state);
      } catch {
        // Content that cannot be decoded raises no alarms, and older content soon expires.
      }
    }
    this.#passMs = clock.now() - startMs;
  }

  close(): void {
    this.#stop();
  }

  async #probe({ name, window, needs, rules }: StreamToProbe, state: State): Promise<void> {
    const pictures = needs.picture ? await newPictures(window, state) : NO_PICTURES;
    const sound = needs.sound ? await newSound(name, window, needs, state) : null;
    const picture = pictures.shown.at(-1)?.coded ?? null;
    if (picture || sound) {
      const { luma, peak, loudness } = await this.#options.probe({ picture, sound: sound?.coded ?? null });
      if (luma) await this.#takePictures(luma, pictures, state);
      if (sound && peak !== null) {
        const { unprobedMs, lengthMs } = sound;
        const level = { peak, gapMs: unprobedMs, fromMs: this.#options.clock.now() - lengthMs };
        state.recentContent = addSound(state.recentContent, level, rules);
      }
      const measured = this.#loudness(name, loudness, state);
      if (measured || !needs.loudness) state.recentContent = { ...state.recentContent, loudness: measured };
    }
    // Without new content, the known content stays valid.
    if (state.recentContent !== NOTHING_PROBED)
      state.recentContent = { ...state.recentContent, atMs: this.#options.clock.now() };
  }

  /** Processes the newest picture, and also earlier pictures if a condition may last longer than until the next probe. */
  async #takePictures(luma: Uint8Array, { shown, unprobedMs }: NewPictures, state: State): Promise<void> {
    const newest = shown.at(-1);
    if (!newest) return;
    const { clock, probe } = this.#options;
    const timeOf = ({ frame }: ShownPicture): number => clock.now() - (newest.frame.atMs - frame.atMs);
    let unknownMs = unprobedMs;
    const next = { luma, atMs: timeOf(newest), gapMs: unprobedMs };
    if (isSameScene(state.recentContent, addPicture(state.recentContent, next)))
      for (const one of shown.slice(0, -1)) {
        const between = await probe({ picture: one.coded, sound: null });
        if (!between.luma) continue;
        state.recentContent = addPicture(state.recentContent, {
          luma: between.luma,
          atMs: timeOf(one),
          gapMs: unknownMs,
        });
        unknownMs = 0;
      }
    state.recentContent = addPicture(state.recentContent, { ...next, gapMs: unknownMs });
    state.picture = newest.frame;
  }

  #loudness(name: string, values: Float32Array | null, state: State): ProbedContent['loudness'] {
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
      Math.abs(state.loudnessToMs + lengthMs - state.soundToMs) < MAX_DRIFT_MS
        ? state.loudnessToMs
        : state.soundToMs - lengthMs;
    state.loudnessToMs = fromMs + lengthMs;
    this.#options.measured(name, fromMs, blocks);
    return state.loudness.next(blocks, this.#options.clock.now()) ?? null;
  }
}

/** Copy of a key frame, because its memory may be reused before it is decoded. */
interface ShownPicture {
  readonly frame: Pick<WindowKeyFrame, 'key' | 'atMs'>;
  readonly coded: NonNullable<ProbeInput['picture']>;
}

/** Newest key frame, preceded by older ones since the last probe, and the time before them that was not probed. */
interface NewPictures {
  readonly shown: readonly ShownPicture[];
  readonly unprobedMs: number;
}

const NO_PICTURES: NewPictures = { shown: [], unprobedMs: 0 };

async function newPictures(window: SegmentWindow, { picture }: State): Promise<NewPictures> {
  const frames: WindowKeyFrame[] = [];
  let isJoined = picture === undefined;
  for (const frame of keyFramesBack(window)) {
    isJoined ||= frame.key === picture?.key;
    if (frame.key === picture?.key || (frames.at(-1)?.atMs ?? 0) - frame.atMs > STALE_MS) break;
    frames.unshift(frame);
    if (!picture || frames.length === MAX_PICTURES) break;
  }
  const shown = framesToProbe(frames, picture?.atMs ?? 0).map(async ({ key, atMs, codec, decoderConfig, data }) => ({
    frame: { key, atMs },
    coded: { codec, decoderConfig, data: await data() },
  }));
  const unprobedMs = isJoined || !picture ? 0 : Math.max(0, (frames[0]?.atMs ?? 0) - picture.atMs - PROBE_VALID_MS);
  return { shown: await Promise.all(shown), unprobedMs };
}

/**
 * Newest key frame, and as many earlier ones as are needed so that the distances between probed pictures are similar to those
 * on an idle machine.
 */
function framesToProbe(frames: readonly WindowKeyFrame[], fromMs: number): readonly WindowKeyFrame[] {
  const newest = frames.at(-1);
  let beforeMs = fromMs;
  return frames.filter((frame) => {
    const isFar = frame.atMs - beforeMs >= PROBE_VALID_MS && (newest?.atMs ?? 0) - frame.atMs >= PROBE_VALID_MS;
    if (isFar) beforeMs = frame.atMs;
    return isFar || frame === newest;
  });
}

/**
 * Sound since the last probe, with its length and the length of the time before it that was not probed; null if there is no
 * sound, or none that can be decoded.
 */
async function newSound(
  name: string,
  window: SegmentWindow,
  needs: Needs,
  state: State,
): Promise<{ readonly coded: ProbeInput['sound']; readonly lengthMs: number; readonly unprobedMs: number } | null> {
  const beforeMs = state.soundToMs;
  const toMs = window.bounds()?.toMs ?? 0;
  const sound = await soundUnits(window, Math.max(beforeMs, toMs - STALE_MS));
  const decodable = decodableSound(sound);
  if (!sound || !decodable) return null;
  state.soundToMs = sound.toMs;
  const position = needs.loudness ? { key: name, fromMs: sound.fromMs, toMs: sound.toMs } : null;
  const unprobedMs = beforeMs === 0 ? 0 : Math.max(0, sound.fromMs - beforeMs);
  return { coded: { ...decodable, position }, lengthMs: sound.toMs - sound.fromMs, unprobedMs };
}

/** Level that is reported for digital silence, and lowest reported level, in LUFS and dBTP. */
const LOWEST = -120;

function levelOf(value = NaN): number | null {
  return Number.isNaN(value) ? null : Math.max(LOWEST, value);
}
