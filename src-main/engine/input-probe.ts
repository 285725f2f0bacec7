import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { asInputEnd } from '../ingest/failover-input.ts';
import type { Input, InputEnd, InputSink, InputSpec } from '../ingest/input.ts';
import type { Clock } from '../lib/clock.ts';
import {
  INPUT_TIMESCALE,
  type AccessUnit,
  type FormatProblem,
  type LeftOutTrack,
  type SpliceMessage,
} from '../media/access-unit.ts';
import { isSameFormat, type Track } from '../media/track.ts';
import type { MakeInput } from './inputs/make-input.ts';
import type { ProbeRequest, ProbedInput, ProbedPicture, TrackStatus } from './messages.ts';
import { ProblemLog } from './problem-log.ts';

/** Length of media from which bit rates are measured, in 90 kHz ticks. */
const MEASURED_TICKS = 2 * INPUT_TIMESCALE;
/** Maximum duration of the measurement after the first frame, in milliseconds. */
const MEASURED_MS = 4000;
/** Time after which an input that does not close is abandoned, in milliseconds: a read of a file may never return. */
const CLOSE_MS = 2000;
/** Maximum number of left-out tracks that are listed. */
const MAX_LEFT_OUT = 16;

/**
 * Opens an address with the reader that a stream would use, and closes it as soon as its tracks are measured and a
 * key frame was found. Resolves after the input has closed, with the reason if nothing could be read within the
 * limit.
 * @param signal ends the probe
 */
export async function probeInput(
  { spec, limitMs }: ProbeRequest,
  { clock, makeInput, signal }: { readonly clock: Clock; readonly makeInput: MakeInput; readonly signal: AbortSignal },
): Promise<ProbedInput | InputEnd> {
  const probe = new ProbeSink(clock);
  const abort = (): void => {
    probe.ended({ code: 'input_ended', ...because('input_closed') });
  };
  const cancelLimit = clock.after(limitMs, () => {
    probe.ended({ code: 'input_timed_out', ...because('no_frame', { seconds: limitMs / 1000 }) });
  });
  signal.addEventListener('abort', abort);
  const input = open(makeInput, spec, probe);
  try {
    const end = await probe.done;
    return end && !probe.hasFound ? end : probe.result;
  } finally {
    cancelLimit();
    signal.removeEventListener('abort', abort);
    if (input) await closeInput(input, clock);
  }
}

function open(makeInput: MakeInput, { url, options }: InputSpec, sink: ProbeSink): Input | undefined {
  try {
    const input = makeInput({ url, options }, sink, '');
    input.start();
    return input;
  } catch (error) {
    sink.ended(asInputEnd(error));
    return undefined;
  }
}

async function closeInput(input: Input, clock: Clock): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = clock.after(CLOSE_MS, late.resolve);
  await Promise.race([input.close(), late.promise]).finally(cancel);
}

/** Media of one track so far. */
interface Measured {
  readonly track: Track;
  units: number;
  bytes: number;
  /** Bytes of the last unit, whose duration is unknown. */
  lastBytes: number;
  firstTicks: number;
  lastTicks: number;
}

/** Collects what an input carries. */
class ProbeSink implements InputSink {
  readonly #clock: Clock;
  readonly #done = Promise.withResolvers<InputEnd | undefined>();
  readonly #problems = new ProblemLog();
  #measured = new Map<string, Measured>();
  #leftOut: readonly LeftOutTrack[] = [];
  #picture: ProbedPicture | undefined;
  #firstUnitMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when all content is known, or with the reason if the input ends before. */
  get done(): Promise<InputEnd | undefined> {
    return this.#done.promise;
  }

  /** Whether the input carries any track, even if Airdesk does not support its codec. */
  get hasFound(): boolean {
    return this.#firstUnitMs !== undefined || this.#leftOut.length > 0;
  }

  get result(): ProbedInput {
    const picture = this.#picture;
    return {
      tracks: [...this.#measured.values()].map(statusOf),
      leftOut: this.#leftOut,
      problems: this.#problems.list(),
      ...(picture ? { picture } : {}),
    };
  }

  tracks(tracks: readonly Track[]): void {
    const before = this.#measured;
    this.#measured = new Map(
      tracks.map((track) => {
        const same = before.get(track.id);
        const counts = { units: 0, bytes: 0, lastBytes: 0, firstTicks: 0, lastTicks: 0 };
        return [track.id, same && isSameFormat(same.track, track) ? same : { track, ...counts }];
      }),
    );
  }

  accessUnit({ trackId, dtsTicks, isRandomAccess, data }: AccessUnit): void {
    const one = this.#measured.get(trackId);
    if (!one) return;
    this.#firstUnitMs ??= this.#clock.now();
    // After a jump of the clock, the measurement starts again.
    if (one.units > 0 && Math.abs(dtsTicks - one.lastTicks) > MEASURED_TICKS)
      Object.assign(one, { units: 0, bytes: 0 });
    if (one.units === 0) one.firstTicks = dtsTicks;
    one.units++;
    one.bytes += data.length;
    one.lastBytes = data.length;
    one.lastTicks = dtsTicks;
    const { track } = one;
    // The newest picture: the first one is often black.
    if (isRandomAccess && track.content === 'video' && track.id === this.#videoId)
      this.#picture = { codec: track.codec, decoderConfig: track.decoderConfig, data: Uint8Array.from(data) };
    if (this.#isComplete) this.#done.resolve(undefined);
  }

  splice(_message: SpliceMessage): void {
    // Says nothing about the tracks.
  }

  problem(problem: FormatProblem): void {
    this.#problems.add(problem, this.#clock.now());
    for (const one of problem.leftOut ?? []) {
      const others = this.#leftOut.filter(({ content, codec }) => content !== one.content || codec !== one.codec);
      if (others.length < MAX_LEFT_OUT) this.#leftOut = [...others, one];
    }
  }

  received(): void {
    // Bit rates are measured by track.
  }

  ended(end: InputEnd): void {
    this.#done.resolve(end);
  }

  /** First video track. */
  get #videoId(): string | undefined {
    return [...this.#measured.values()].find(({ track }) => track.content === 'video')?.track.id;
  }

  get #isComplete(): boolean {
    if (this.#videoId !== undefined && !this.#picture) return false;
    const isLong = [...this.#measured.values()].some(
      ({ firstTicks, lastTicks }) => lastTicks - firstTicks >= MEASURED_TICKS,
    );
    return isLong || this.#clock.now() - (this.#firstUnitMs ?? Infinity) >= MEASURED_MS;
  }
}

/** Rates by the times of the media, because many sources send their first seconds at once. */
function statusOf({ track, units, bytes, lastBytes, firstTicks, lastTicks }: Measured): TrackStatus {
  const seconds = (lastTicks - firstTicks) / INPUT_TIMESCALE;
  if (seconds <= 0) return { track, bitrate: 0, rate: 0 };
  return { track, bitrate: Math.round(((bytes - lastBytes) * 8) / seconds), rate: (units - 1) / seconds };
}
