import { describe, expect, it } from 'vitest';
import { FedWindow } from '../../../tests/helpers/fed-window.ts';
import type { ProbeInput, ProbeOutput } from '../../codec/jobs/probe.ts';
import { nextWatch, QUIET } from '../../monitor/alarm-watch.ts';
import { streamRules } from '../../monitor/alarm-rules.ts';
import { contentConditions } from '../../monitor/content.ts';
import { ContentProbes } from './content-probes.ts';

const START_MS = 1_000_000;
const KINDS = ['black', 'frozen', 'silence', 'silence_frozen'] as const;
/** Timing of the default rules. */
const RULES = streamRules(
  KINDS.map((kind) => ({ kind, severity: null, raiseMs: null, clearMs: null, min: null, max: null })),
);

/** A programme by second: the number of its picture (0 for black), and whether it is silent. */
interface Programme {
  readonly picture: (second: number) => number;
  readonly isSilent?: (second: number) => boolean;
}

/** Small picture with a bright square at a position, or black for 0. */
function lumaOf(picture: number): Uint8Array {
  const luma = new Uint8Array(128 * 72).fill(picture === 0 ? 4 : 100);
  if (picture === 0) return luma;
  const left = (picture * 8) % 120;
  for (let row = 8; row < 16; row++) luma.fill(220, row * 128 + left, row * 128 + left + 8);
  return luma;
}

/** Probe job that evaluates the generated samples. */
function probe({ picture, sound }: ProbeInput): Promise<ProbeOutput> {
  return Promise.resolve({
    luma: picture && lumaOf(picture.data[0] ?? 0),
    peak: sound && Math.max(...sound.units.bytes) / 255,
    loudness: null,
  });
}

/** Alarms raised in two minutes of a programme that is probed at the given seconds, each with its second. */
async function raised({ picture, isSilent = () => false }: Programme, probesAt: readonly number[]): Promise<string[]> {
  const fed = new FedWindow(undefined, (content, atMs) => {
    const second = Math.floor((atMs - START_MS) / 1000);
    return Uint8Array.of(content === 'video' ? picture(second) : isSilent(second) ? 0 : 80);
  });
  let nowMs = START_MS;
  const needs = { picture: true, sound: true, loudness: false };
  const probes = new ContentProbes({
    clock: { now: () => nowMs, after: () => () => undefined },
    streams: () => [{ name: 'cam', window: fed.window, needs, rules: RULES }],
    probe,
    measured: () => undefined,
  });
  const watches = new Map(KINDS.map((kind) => [kind as string, QUIET]));
  const found: string[] = [];
  for (let second = 1; second <= 120; second++) {
    fed.grow(2);
    nowMs = START_MS + second * 1000;
    if (probesAt.includes(second)) await probes.pass();
    for (const reading of contentConditions(probes.recentContent(fed.window), RULES)) {
      const { alarm } = reading;
      if (alarm === 'level') continue;
      const before = watches.get(alarm) ?? QUIET;
      const watch = nextWatch(before, reading, nowMs, RULES[alarm]);
      watches.set(alarm, watch);
      if (watch.isRaised && !before.isRaised) found.push(`${alarm} ${second}`);
    }
  }
  return found;
}

/** Regular probe times, in seconds. */
const each = (seconds: number, first = 1): number[] =>
  Array.from({ length: Math.ceil(120 / seconds) }, (_, index) => first + index * seconds);
const MOVING = (second: number): number => 1 + (second % 14);
const IDLE = each(4);

describe('content probes on a machine with enough CPU time', () => {
  it.each<[string, Programme, readonly string[]]>([
    ['nothing for a moving picture', { picture: MOVING }, []],
    ['a frozen picture, after its time', { picture: () => 5 }, ['frozen 31']],
    ['black', { picture: () => 0 }, ['black 11']],
    ['silence', { picture: MOVING, isSilent: () => true }, ['silence 20']],
    [
      'silence with a frozen picture, ten seconds after both have started',
      { picture: (second) => (second < 40 ? MOVING(second) : 5), isSilent: (second) => second >= 30 },
      ['silence_frozen 51', 'silence 53', 'frozen 71'],
    ],
  ])('raise %s', async (_what, programme, expected) => {
    expect(await raised(programme, IDLE)).toEqual(expected);
  });
});

describe('content probes on an overloaded machine', () => {
  const caption: Programme = { picture: (second) => (second % 14 < 5 ? 5 : 20 + (second % 14)) };
  const fading: Programme = { picture: (second) => (second % 14 < 4 ? 0 : MOVING(second)) };
  it.each<[string, Programme, readonly number[]]>([
    ['a caption that is visible at each probe', caption, each(14, 3)],
    ['a black picture at each probe', fading, each(14, 3)],
    ['a black picture before a pause of the probes', fading, [4, 33, 62, 91]],
    [
      'silence before a pause of the probes',
      { picture: MOVING, isSilent: (second) => second % 30 < 6 },
      [6, 35, 66, 95],
    ],
  ])('raise nothing for %s', async (_what, programme, probesAt) => {
    expect(await raised(programme, probesAt)).toEqual([]);
  });

  it('raise a lasting fault at the next probe', async () => {
    const dead: Programme = { picture: () => 5, isSilent: () => true };
    expect(await raised(dead, each(13))).toEqual(['silence_frozen 14', 'silence 27', 'frozen 31']);
    expect(await raised({ picture: () => 0 }, each(13))).toEqual(['black 14']);
  });
});
