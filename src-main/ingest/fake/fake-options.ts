import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { InputEnd } from '../input.ts';
import { SPLICE_KINDS, type SpliceKind } from './splice-script.ts';
import type { TestPictureSpec } from './test-picture-source.ts';

/** Options of a `fake://` input. */
export interface FakeOptions {
  readonly picture: TestPictureSpec;
  /** Interval of splice points with a break, in seconds; 0 for none. */
  readonly spliceSeconds: number;
  /** Kind of their marks; `all` for each kind in turn. */
  readonly spliceKind: SpliceKind | 'all';
}

/** Minimum, maximum and default of each option of `fake://`. */
const FAKE_LIMITS = {
  /** Pixels, even. */
  width: { min: 64, max: 3840, default: 1280 },
  height: { min: 36, max: 2160, default: 720 },
  /** Frames; default: one second. */
  gop: { min: 1, max: 900 },
  /** kbit/s of the video. */
  bitrate: { min: 20, max: 50_000, default: 1500 },
  /** Seconds between splice points. */
  splice: { min: 4, max: 86_400 },
} as const;

/** Frame rates other than the whole numbers from 1 to 60. */
const FRACTIONAL_RATES: Readonly<Record<string, readonly [number, number]>> = {
  '12.5': [25, 2],
  '23.976': [24_000, 1001],
  '23.98': [24_000, 1001],
  '29.97': [30_000, 1001],
  '59.94': [60_000, 1001],
};

/**
 * Parses the options of a `fake://` input: `width` and `height` in pixels, `fps`, `gop` in frames (default one second), `bitrate`
 * in kbit/s, `splice` in seconds, `marks` as a kind of marks. An option that is unknown or out of range is an `InputEnd`.
 */
export function parseFakeOptions(query: ReadonlyMap<string, string>): FakeOptions | InputEnd {
  const names = ['width', 'height', 'fps', 'gop', 'bitrate', 'splice', 'marks'];
  for (const name of query.keys()) {
    if (!names.includes(name))
      return badOption(because('fake_option_unknown', { option: name, options: names.join(', ') }));
  }
  const faults: Explained[] = [];
  const integer = (name: Exclude<keyof typeof FAKE_LIMITS, 'fps'>, fallback: number): number => {
    const text = query.get(name);
    if (text === undefined) return fallback;
    const { min, max } = FAKE_LIMITS[name];
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max)) faults.push(because('option_range', { option: name, min, max }));
    return value;
  };
  const rate = parseRate(query.get('fps') ?? '25');
  if (!rate) faults.push(because('fake_frame_rate'));
  const [fpsNumerator, fpsDenominator] = rate ?? [25, 1];
  const picture: TestPictureSpec = {
    width: integer('width', FAKE_LIMITS.width.default),
    height: integer('height', FAKE_LIMITS.height.default),
    fpsNumerator,
    fpsDenominator,
    gopFrames: integer('gop', Math.round(fpsNumerator / fpsDenominator)),
    bitrateKbps: integer('bitrate', FAKE_LIMITS.bitrate.default),
    bFrames: 0,
  };
  const spliceSeconds = integer('splice', 0);
  const marks = query.get('marks') ?? 'return';
  const spliceKind = (['all', ...SPLICE_KINDS] as const).find((kind) => kind === marks);
  if (picture.width % 2 === 1 || picture.height % 2 === 1) faults.push(because('fake_size_odd'));
  const [fault] = faults;
  if (fault) return badOption(fault);
  if (!spliceKind)
    return badOption(because('option_choice', { option: 'marks', values: ['all', ...SPLICE_KINDS].join(', ') }));
  return { picture, spliceSeconds, spliceKind };
}

function parseRate(text: string): readonly [number, number] | undefined {
  const broken = Object.hasOwn(FRACTIONAL_RATES, text) ? FRACTIONAL_RATES[text] : undefined;
  if (broken) return broken;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= 60 ? [value, 1] : undefined;
}

function badOption(why: Explained): InputEnd {
  return { code: 'bad_input_url', ...why };
}
