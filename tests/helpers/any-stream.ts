import fc from 'fast-check';
import type { SegmenterOptions } from '../../src-main/segment/segmenter-options.ts';
import type { MadeInput } from './made-input.ts';
import type { StreamRun } from './stream-run.ts';

/** Next event of a stream. */
export type StreamStep = { readonly play: MadeInput } | { readonly idleMs: number } | { readonly restart: true };

/** Steps of a stream, and its options of segmentation. */
export interface AnyStream {
  readonly steps: readonly StreamStep[];
  readonly options: Partial<SegmenterOptions>;
}

/** Any pictures. */
export const anyVideo = fc.record({
  fps: fc.constantFrom(25, 30, 29.97, 50, 59.94, 12.5, 24, 10, 5),
  gopFrames: fc.integer({ min: 1, max: 80 }),
  bFrames: fc.constantFrom(0, 0, 1, 2, 3),
  variant: fc.integer({ min: 0, max: 2 }),
  statesFps: fc.boolean(),
});

/** Any audio, up to two seconds early or late. */
export const anyAudio = fc.record({
  sampleRate: fc.constantFrom(48_000, 44_100, 22_050, 8000),
  lateMs: fc.oneof(fc.integer({ min: -2000, max: 2000 }), fc.integer({ min: -60, max: 60 })),
});

/** Input with all realistic faults: jitter, silence, jumps of the clock, clocks near their wrap. */
export const anyInput: fc.Arbitrary<MadeInput> = fc
  .record({
    video: fc.option(anyVideo, { nil: undefined, freq: 6 }),
    audio: fc.option(anyAudio, { nil: undefined, freq: 6 }),
    seconds: fc.integer({ min: 1, max: 16 }),
    jitterMs: fc.constantFrom(undefined, 0, 1, 8),
    startTicks: fc.constantFrom(0, 126_000, 2 ** 33 - 900_000, 2 ** 40),
    silences: fc.array(
      fc.record({
        track: fc.constantFrom('v1' as const, 'a1' as const, 'all' as const),
        fromMs: fc.integer({ min: 0, max: 12_000 }),
        lengthMs: fc.integer({ min: 100, max: 9000 }),
      }),
      { maxLength: 2 },
    ),
    jumps: fc.array(
      fc.record({
        atMs: fc.integer({ min: 0, max: 12_000 }),
        byMs: fc.constantFrom(-3_600_000, -5000, -700, -300, 300, 2000, 9000, 60_000, 10_800_000, -95_443_717),
      }),
      { maxLength: 2 },
    ),
    seed: fc.integer({ min: 1, max: 1 << 30 }),
  })
  .map(({ video, audio, silences, jitterMs, ...rest }) => ({
    ...rest,
    // At least one track must have media.
    ...(video ? { video } : {}),
    ...(audio ? { audio } : video ? {} : { audio: { sampleRate: 48_000, lateMs: 0 } }),
    ...(jitterMs === undefined ? {} : { jitterMs }),
    silences: silences.map(({ track, fromMs, lengthMs }) => ({ track, fromMs, toMs: fromMs + lengthMs })),
  }));

/** Input without faults, as sent by encoders. */
export const plainInput: fc.Arbitrary<MadeInput> = fc.record({
  video: fc.record({
    fps: fc.constantFrom(25, 30, 29.97, 50, 59.94, 24),
    gopFrames: fc.constantFrom(25, 50, 60, 12),
    bFrames: fc.constantFrom(0, 2),
    statesFps: fc.boolean(),
  }),
  audio: fc.record({ sampleRate: fc.constantFrom(48_000, 44_100), lateMs: fc.integer({ min: -100, max: 700 }) }),
  seconds: fc.integer({ min: 10, max: 25 }),
});

/** Any segmentation options. */
export const anyOptions: fc.Arbitrary<Partial<SegmenterOptions>> = fc.record({
  partMs: fc.constantFrom(200, 500, 333),
  segmentMs: fc.constantFrom(1000, 2000, 4000),
  segmentCount: fc.integer({ min: 1, max: 8 }),
  maxSegmentMs: fc.constantFrom(8000, 20_000),
});

const anySteps: fc.Arbitrary<StreamStep[]> = fc
  .tuple(
    anyInput,
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: anyInput.map((play): StreamStep => ({ play })) },
        { weight: 1, arbitrary: fc.constantFrom(0, 200, 3000, 100_000).map((idleMs): StreamStep => ({ idleMs })) },
        { weight: 1, arbitrary: fc.constant<StreamStep>({ restart: true }) },
      ),
      { maxLength: 4 },
    ),
  )
  .map(([first, others]) => [{ play: first }, ...others]);

/** Any run of a stream with its segmentation options. */
export const anyStream: fc.Arbitrary<AnyStream> = fc.record({ steps: anySteps, options: anyOptions });

/** Plays steps one after another, and closes the stream. */
export function playSteps(steps: readonly StreamStep[], stream: StreamRun): void {
  for (const step of steps) {
    if ('play' in step) stream.play(step.play);
    else if ('idleMs' in step) stream.idle(step.idleMs);
    else stream.restart();
  }
  stream.close();
}
