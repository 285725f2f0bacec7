import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clipOf, LiveStream } from '../../tests/helpers/ad-windows.ts';
import type { AdDecision, BreakRules } from './ad-decision.ts';
import { AdPlan } from './ad-plan.ts';
import { AdWindow } from './ad-window.ts';
import { SlotPlan } from './slot-plan.ts';

// Any marks, clips and viewers against what breaks are said to do: a second of clips for each letter, and two points for a segment of the stream.

const SEGMENT_SECONDS = 2;
const LISTED = 12;
/** Segments that a break without its return lasts longer than announced. */
const GUARD_SEGMENTS = 15;

/** How a break is marked; each lasts from its `out` for the length that it has in the model. */
type Marking =
  | 'announced'
  | 'open'
  | 'early return'
  | 'return in time'
  | 'missing return'
  | 'taken back'
  | 'repeated'
  | 'another inside';

interface MarkedBreak {
  readonly gap: number;
  readonly length: number;
  readonly marking: Marking;
  /** Segments before its begin at which it is said. */
  readonly ahead: number;
}

/** A break in segments of the stream; its end is not part of it. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Case {
  readonly breaks: readonly MarkedBreak[];
  readonly clips: readonly number[];
  readonly rules: BreakRules;
  /** Segments between loads of the playlist. */
  readonly looks: readonly number[];
  readonly joinAt: number;
}

const markings: readonly Marking[] = [
  ...(['announced', 'open', 'early return', 'return in time'] as const),
  ...(['missing return', 'taken back', 'repeated', 'another inside'] as const),
];

const cases: fc.Arbitrary<Case> = fc.record({
  breaks: fc.array(
    fc.record({
      gap: fc.nat(6),
      length: fc.integer({ min: 1, max: 9 }),
      marking: fc.constantFrom(...markings),
      ahead: fc.nat(3),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  clips: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 }),
  rules: fc.record({
    overrun: fc.constantFrom('cut' as const, 'complete' as const),
    fill: fc.constantFrom('repeat' as const, 'programme' as const, { slate: 'slate' }),
  }),
  looks: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 }),
  joinAt: fc.integer({ min: 4, max: 30 }),
});

/** Says the marks of a break when their time comes; returns where it lies. */
function plannedMarks(
  breaks: readonly MarkedBreak[],
  stream: LiveStream,
): { readonly spans: Span[]; readonly atSegment: Map<number, (() => void)[]> } {
  const atSegment = new Map<number, (() => void)[]>();
  const spans: Span[] = [];
  const say = (segment: number, mark: () => void): void => {
    atSegment.set(segment, [...(atSegment.get(segment) ?? []), mark]);
  };
  let from = 4;
  for (const [index, { gap, length, marking, ahead }] of breaks.entries()) {
    from += gap;
    const to = from + length + (marking === 'missing return' ? GUARD_SEGMENTS : 0);
    const [atMs, endMs, lengthMs] = [from, from + length, length].map((count) => count * SEGMENT_SECONDS * 1000) as [
      number,
      number,
      number,
    ];
    const eventId = index + 1;
    const saidAt = Math.max(from - gap, from - ahead);
    const out = (durationMs: number | null, needsReturn?: true) => (): void => {
      stream.splice('out', atMs, durationMs, { eventId, ...(needsReturn ? { needsReturn } : {}) });
    };
    const back = (): void => {
      stream.splice('in', endMs, null, { eventId });
    };
    const backAt = (segment: number): void => {
      say(segment, back);
    };
    switch (marking) {
      case 'announced':
        say(saidAt, out(lengthMs));
        break;
      case 'open':
        say(saidAt, out(null));
        backAt(to);
        break;
      case 'early return':
        say(saidAt, out(lengthMs + 20_000));
        backAt(to);
        break;
      case 'return in time':
        say(saidAt, out(Math.max(1000, lengthMs - 10_000), true));
        backAt(to);
        break;
      case 'missing return':
        say(saidAt, out(lengthMs, true));
        break;
      case 'taken back':
        say(saidAt, out(lengthMs));
        say(from, () => {
          stream.unsplice(eventId);
        });
        break;
      case 'repeated':
        for (let segment = saidAt; segment <= from; segment++) say(segment, out(lengthMs));
        break;
      case 'another inside':
        say(saidAt, out(lengthMs));
        say(from + Math.floor(length / 2), () => {
          const insideMs = (from + Math.floor(length / 2)) * SEGMENT_SECONDS * 1000;
          stream.splice('out', insideMs + 500, 200, { eventId: 100 + index });
        });
        break;
    }
    // What is taken back before its time is no break.
    if (marking !== 'taken back') spans.push({ from, to });
    from = to;
  }
  return { spans, atSegment };
}

/** The seconds of a break: clips in their order, and what fills it. */
function secondOf(number: number, clips: readonly number[], { fill }: BreakRules): string {
  const total = clips.reduce((sum, length) => sum + length, 0);
  if (number >= total && typeof fill === 'object') return 's';
  let left = number % total;
  for (const [index, length] of clips.entries()) {
    if (left < length) return 'abc'.charAt(index);
    left -= length;
  }
  return '?';
}

/** Where the clip ends that plays after so many seconds of a break; the same number between two clips, and in a slate. */
function clipEnd(seconds: number, clips: readonly number[], { fill }: BreakRules): number {
  const total = clips.reduce((sum, length) => sum + length, 0);
  if (fill !== 'repeat' && seconds >= total) return seconds;
  let end = seconds - (seconds % total);
  for (let index = 0; end < seconds; index++) end += clips[index % clips.length] ?? 1;
  return end;
}

/** What a viewer has to see, from the first segment that is listed. */
function expected(
  form: AdDecision['form'],
  spans: readonly Span[],
  { clips, rules }: Case,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const total = clips.reduce((sum, length) => sum + length, 0);
  let shown = '';
  let behind = 0;
  let done = -1;
  for (let segment = from; segment < to;) {
    const at = spans.findLastIndex((span, index) => index > done && span.from <= segment && segment < span.to);
    const span = spans[at];
    if (!span) {
      shown += '.'.repeat(SEGMENT_SECONDS);
      segment++;
      continue;
    }
    done = at;
    let seconds = (span.to - segment) * SEGMENT_SECONDS - behind;
    if (rules.fill === 'programme') seconds = Math.min(seconds, total);
    if (rules.overrun === 'complete') seconds = clipEnd(seconds, clips, rules);
    // Clips inside the segments fill the last one.
    if (form === 'inside') seconds = Math.ceil(seconds / SEGMENT_SECONDS) * SEGMENT_SECONDS;
    for (let second = 0; second < seconds; second++) shown += secondOf(second, clips, rules);
    const endSeconds = segment * SEGMENT_SECONDS + behind + seconds;
    segment = Math.floor(endSeconds / SEGMENT_SECONDS);
    behind = endSeconds - segment * SEGMENT_SECONDS;
  }
  return shown;
}

/** What one viewer was shown, from loads of the playlist. */
abstract class Watcher {
  shown = '';
  abstract look(): void;
}

class ApartWatcher extends Watcher {
  readonly #window: AdWindow;
  #next = -1;

  constructor(stream: LiveStream, decision: AdDecision, clips: ConstructorParameters<typeof AdPlan>[1]) {
    super();
    const plan = new AdPlan(decision, clips);
    this.#window = new AdWindow({ stream: stream.window, plan, longestClipSegmentMs: 1000 });
  }

  look(): void {
    for (const { msn, address, segment } of this.#window.segments('v1')) {
      if (msn < this.#next) continue;
      // No segment is missing, and none comes twice.
      if (this.#next >= 0) expect(msn).toBe(this.#next);
      this.#next = msn + 1;
      const name = /^[a-z]/.exec(address)?.[0] ?? '.';
      this.shown += name.repeat(Math.round(segment.durationTicks / 90_000));
    }
  }
}

class InsideWatcher extends Watcher {
  readonly #plan: SlotPlan;
  readonly #stream: LiveStream;
  #next = -1;

  constructor(stream: LiveStream, decision: AdDecision, clips: ConstructorParameters<typeof SlotPlan>[1]) {
    super();
    this.#plan = new SlotPlan(decision, clips);
    this.#stream = stream;
  }

  look(): void {
    this.#plan.advance(this.#stream.window);
    for (const { msn } of this.#stream.window.segments('v1')) {
      if (msn < this.#next) continue;
      this.#next = msn + 1;
      const slot = this.#plan.slot(msn);
      for (let second = 0; second < SEGMENT_SECONDS; second++)
        this.shown += slot && slot !== 'resumed' ? slot.loop.step(slot.step + second).clip.path.charAt(0) : '.';
    }
  }
}

it.each(['apart', 'inside'] as const)(
  'breaks of clips %s begin and end where they are marked, with each clip in its order and nothing missing or twice',
  (form) => {
    fc.assert(
      fc.property(cases, (all) => {
        const stream = new LiveStream({ segmentMs: SEGMENT_SECONDS * 1000, listed: LISTED });
        const { spans, atSegment } = plannedMarks(all.breaks, stream);
        const end = Math.max(all.joinAt, (spans.at(-1)?.to ?? 0) + 12);
        const known = new Map(
          [...all.clips.entries()].map(([index, seconds]) => {
            const path = 'abc'.charAt(index);
            return [path, clipOf(path, seconds)];
          }),
        ).set('slate', clipOf('slate', 3));
        const decision: AdDecision = {
          ...{ form, prerolls: [], midrolls: all.clips.map((_, index) => 'abc'.charAt(index)) },
          ...{ insertBy: 'splicing', intervalMs: undefined, rules: all.rules },
        };
        let watcher: Watcher | undefined;
        let nextLook = all.joinAt;
        let lookNumber = 0;
        for (let segment = 0; segment <= end; segment++) {
          const marks = atSegment.get(segment) ?? [];
          if (segment === all.joinAt) {
            const Kind = form === 'apart' ? ApartWatcher : InsideWatcher;
            watcher = new Kind(stream, decision, (path) => known.get(path) ?? fail(path));
            watcher.look();
          }
          for (const mark of marks) mark();
          if (segment >= nextLook || segment === end) {
            watcher?.look();
            nextLook = segment + (all.looks[lookNumber++ % all.looks.length] ?? 1);
          }
          stream.grow();
        }
        const from = Math.max(0, all.joinAt - LISTED);
        const wanted = expected(form, spans, all, { from, to: end });
        const shown = watcher?.shown ?? '';
        expect(wanted.slice(0, shown.length)).toBe(shown);
        // The live edge is never further away than a segment and what the viewer is behind.
        expect(shown.length).toBeGreaterThan((end - from) * SEGMENT_SECONDS - 2 * SEGMENT_SECONDS - 1);
      }),
      { numRuns: Number(process.env['AIRDESK_RUNS'] ?? 200) },
    );
  },
);

function fail(path: string): never {
  throw new RangeError(path);
}
