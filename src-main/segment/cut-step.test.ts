import { describe, expect, it } from 'vitest';
import { madeAudio, madeVideo } from '../../tests/helpers/made-input.ts';
import type { Track } from '../media/track.ts';
import { newCutState, type CutEvent, type CutState } from './cut-state.ts';
import { step } from './cut-step.ts';
import { SEGMENTER_DEFAULTS, type SegmenterOptions } from './segmenter-options.ts';

const START_MS = 1_800_000_000_000;
const VIDEO = madeVideo('v1');
const AUDIO = madeAudio('a1');

function startedState(tracks: readonly Track[], options: Partial<SegmenterOptions> = {}): CutState {
  const resume = { nextMsn: 10, nextInitId: 3, isContinuation: false };
  const state = newCutState({ ...SEGMENTER_DEFAULTS, ...options }, resume);
  expect(effectsOf(state, { type: 'tracks', tracks })).toEqual([
    `tracks ${tracks.map(({ id }) => `${id}:3`).join(' ')}`,
  ]);
  return state;
}

/** Effects of a step as text. A sample is described by its track. */
function effectsOf(state: CutState, event: CutEvent): string[] {
  const effects = step(state, event);
  return Array.from({ length: effects.count }, (_, index) => {
    const effect = effects.at(index);
    switch (effect?.type) {
      case 'sample':
        return `sample ${effect.track.track.id}`;
      case 'part-end':
        return `part ${effect.part.trackId} ${effect.part.msn}.${effect.part.index}`;
      case 'segment-start':
        return `start ${effect.trackId} ${effect.msn}${effect.isDiscontinuity ? ' cut' : ''}`;
      case 'segment-end':
        return `${effect.isGap ? 'gap' : 'end'} ${effect.trackId} ${effect.msn}`;
      case 'rewind':
        return `rewind ${effect.firstMsn}`;
      case 'trim':
        return `trim ${effect.firstMsn}`;
      case 'tracks':
        return `tracks ${effect.tracks.map(({ track, initId }) => `${track.id}:${initId}`).join(' ')}`;
      case 'problem':
        return effect.problem.code;
      default:
        return effect?.type ?? 'nothing';
    }
  });
}

function unit(track: Track, atMs: number, isRandomAccess = track.content === 'audio', arrivesMs = atMs): CutEvent {
  const ticks = Math.round(((START_MS + atMs) * track.timescale) / 1000);
  const lastsTicks = track.content === 'audio' ? 1024 : 3600;
  const data = Uint8Array.of(0, 0, 0, 1, 9);
  const time = { dtsTicks: ticks, ptsTicks: ticks, lastsTicks, arrivedMs: START_MS + arrivesMs };
  return { type: 'unit', unit: { track, isRandomAccess, data, ...time } };
}

describe('the step function of the segmenter', () => {
  it('holds other tracks until the first unit of the leading track', () => {
    const state = startedState([VIDEO, AUDIO]);
    expect(effectsOf(state, unit(AUDIO, 0))).toEqual([]);
    expect(state.lead).toEqual({ phase: 'awaited', sinceUs: START_MS * 1000 });
    expect(effectsOf(state, unit(VIDEO, 0, true))).toEqual(['start v1 10', 'sample v1', 'start a1 10', 'sample a1']);
    expect(state.lead).toMatchObject({ phase: 'received', horizonUs: START_MS * 1000 + 250_000 });
    expect(state.waitingCount).toBe(0);
  });

  it('drops pictures before the first random access point', () => {
    const state = startedState([VIDEO]);
    expect(effectsOf(state, unit(VIDEO, 0, false))).toEqual([]);
    expect(effectsOf(state, unit(VIDEO, 40, true))).toEqual(['start v1 10', 'sample v1']);
  });

  it('cuts only at a random access point near the segment duration', () => {
    const state = startedState([VIDEO]);
    step(state, unit(VIDEO, 0, true));
    expect(effectsOf(state, unit(VIDEO, 1900, true)).at(-1)).toBe('sample v1');
    expect(state.tracks[0]?.msn).toBe(10);
    expect(effectsOf(state, unit(VIDEO, 1960, true))).toEqual([
      'part v1 10.1',
      'end v1 10',
      'start v1 11',
      'sample v1',
    ]);
  });

  it('cuts without a random access point after the maximum duration, and reports it', () => {
    const state = startedState([VIDEO], { maxSegmentMs: 3000 });
    step(state, unit(VIDEO, 0, true));
    step(state, unit(VIDEO, 2960, false));
    expect(effectsOf(state, unit(VIDEO, 3000, false))).toEqual([
      'gop_too_long',
      'part v1 10.1',
      'end v1 10',
      'start v1 11',
      'sample v1',
    ]);
  });

  it('replaces the leading track only if it is silent both on the media clock and on the wall clock', () => {
    const silence = (arrivesMs: (atMs: number) => number): string => {
      const state = startedState([VIDEO, AUDIO]);
      step(state, unit(VIDEO, 0, true));
      for (let atMs = 20; atMs < 4000; atMs += 20) step(state, unit(AUDIO, atMs, true, arrivesMs(atMs)));
      return state.lead.phase === 'received' ? state.lead.track.track.id : state.lead.phase;
    };
    expect(silence((atMs) => atMs)).toBe('a1');
    // The input clock jumps: the video will jump next.
    expect(silence((atMs) => atMs / 10)).toBe('v1');
  });

  it('makes video the leading track again with its first unit', () => {
    const state = startedState([VIDEO, AUDIO]);
    for (let atMs = 0; atMs < 4000; atMs += 20) step(state, unit(AUDIO, atMs));
    expect(state.lead).toMatchObject({ track: { track: AUDIO } });
    step(state, unit(VIDEO, 4000, true));
    expect(state.lead).toMatchObject({ track: { track: VIDEO } });
  });

  it('declares a gap for a track without units', () => {
    const state = startedState([VIDEO, AUDIO]);
    const seen = [0, 2000, 4000, 6000].flatMap((atMs) => effectsOf(state, unit(VIDEO, atMs, true)));
    expect(seen.filter((effect) => effect.includes('a1'))).toEqual(['start a1 10', 'gap a1 10']);
  });

  it.each([
    ['discontinuity', [] as string[]],
    ['idle', ['idle']],
    ['close', ['close']],
  ] as const)('writes waiting units and ends open segments at %s', (type, last) => {
    const state = startedState([VIDEO, AUDIO]);
    step(state, unit(VIDEO, 0, true));
    step(state, unit(AUDIO, 900));
    expect(state.waitingCount).toBe(1);
    expect(effectsOf(state, type === 'discontinuity' ? { type, isRewind: false } : { type })).toEqual([
      'start a1 10',
      'sample a1',
      'part v1 10.0',
      'end v1 10',
      'part a1 10.0',
      'end a1 10',
      ...last,
    ]);
    expect(state.waitingCount).toBe(0);
    expect(state.cutPoints.newest).toBeUndefined();
  });

  it('marks a discontinuity only after an interruption of existing media', () => {
    const state = startedState([VIDEO]);
    step(state, { type: 'idle' });
    expect(state.continuity).toBe('fresh');
    expect(effectsOf(state, unit(VIDEO, 0, true))[0]).toBe('start v1 10');
    step(state, { type: 'discontinuity', isRewind: false });
    step(state, { type: 'idle' });
    expect(state.continuity).toBe('interrupted');
    expect(effectsOf(state, unit(VIDEO, 5000, true))[0]).toBe('start v1 11 cut');
    expect(state.continuity).toBe('running');
  });

  it('restarts at an earlier time with an empty window after a rewind', () => {
    const state = startedState([VIDEO, AUDIO]);
    step(state, unit(VIDEO, 100_000, true));
    step(state, unit(AUDIO, 100_000));
    const seen = effectsOf(state, { type: 'discontinuity', isRewind: true });
    expect(seen.at(-1)).toBe('rewind 11');
    expect(effectsOf(state, unit(VIDEO, 40_000, true))[0]).toBe('start v1 11 cut');
    expect(effectsOf(state, unit(AUDIO, 40_000))).toContain('start a1 11 cut');
    expect(state.budget.firstMsn).toBe(11);
  });

  it('trims the window by number of segments and by bytes', () => {
    const play = (options: Partial<SegmenterOptions>): string[] => {
      const state = startedState([VIDEO], options);
      return Array.from({ length: 6 }, (_, index) => effectsOf(state, unit(VIDEO, index * 2000, true))).flat();
    };
    expect(play({ segmentCount: 4 }).filter((effect) => effect.startsWith('trim'))).toEqual(['trim 11']);
    const tight = play({ segmentCount: 4, maxWindowBytes: 400 });
    expect(tight.filter((effect) => effect.startsWith('trim'))).toEqual(['trim 11', 'trim 12', 'trim 13']);
    expect(tight).toContain('frames_too_large');
  });
});
