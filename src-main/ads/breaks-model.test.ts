import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clipOf, LiveStream } from '../../tests/helpers/ad-windows.ts';
import { StreamOutput } from '../delivery/stream-output.ts';
import type { AdDecision, BreakRules } from './decision/ad-decision.ts';
import { AdPlan } from './placement/separate/ad-plan.ts';
import { AdWindow } from './placement/separate/ad-window.ts';
import { ArchiveBreaks } from './archive-breaks.ts';
import type { ClipSource } from './clips/clip.ts';
import { InPlacePlan, type SegmentState } from './placement/in-place/in-place-plan.ts';

// Compares what viewers are shown, for random marks, clips and viewers, with a simple model of the rules. Both are written as text,
// one character for each second: a letter for a clip, a dot for the stream, whose segments last two seconds.

const SEGMENT_SECONDS = 2;
const LISTED = 12;
/** Number of segments after its announced length at which a break ends if the expected return is missing. */
const GUARD_SEGMENTS = 15;
/** Number of segments by which a break that starts during another break ends later than that break. */
const OUTLAST_SEGMENTS = 2;
/** Distance of a new viewer from the end of the stream, in segments: prerolls and intervals start there. */
const JOIN_SEGMENTS = 3;

/** Kind of the marks of a break, or of a second break during it. In the model, a break starts at its `out` and has a length. */
type Marking =
  | 'announced'
  | 'open'
  | 'early return'
  | 'return in time'
  | 'missing return'
  | 'cancelled in time'
  | 'repeated'
  | 'another inside'
  | 'another continues'
  | 'cancelled too late';

interface MarkedBreak {
  readonly gap: number;
  readonly length: number;
  readonly marking: Marking;
  /** Segments between the announcement and the start. */
  readonly ahead: number;
}

/** Position of a break, in segments of the stream. The end is exclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Case {
  readonly breaks: readonly MarkedBreak[];
  readonly clips: readonly number[];
  /** Number of clips before the stream. */
  readonly prerolls: readonly number[];
  readonly insertBy: AdDecision['insertBy'];
  readonly intervalSeconds: number;
  readonly rules: BreakRules;
  /** Segments between loads of the playlist. A number above the length of the playlist simulates a viewer who paused. */
  readonly polls: readonly number[];
  readonly joinAt: number;
}

const markings: readonly Marking[] = [
  ...(['announced', 'open', 'early return', 'return in time'] as const),
  ...(['missing return', 'cancelled in time', 'repeated', 'another inside'] as const),
  ...(['another continues', 'cancelled too late'] as const),
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
  prerolls: fc.oneof(fc.constant([]), fc.array(fc.nat(2), { maxLength: 3 })),
  insertBy: fc.constantFrom('splicing' as const, 'splicing' as const, 'interval' as const),
  intervalSeconds: fc.integer({ min: 1, max: 30 }),
  polls: fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 1, max: 4 }) },
      { weight: 1, arbitrary: fc.integer({ min: LISTED - 1, max: LISTED + 12 }) },
    ),
    { minLength: 1, maxLength: 8 },
  ),
  joinAt: fc.integer({ min: 4, max: 30 }),
});

/**
 * Positions of the breaks, and functions that send their marks, by segment.
 *
 * @param shift segments before the first break
 */
function plannedMarks(
  breaks: readonly MarkedBreak[],
  stream: LiveStream,
  shift = 0,
): { readonly spans: Span[]; readonly atSegment: Map<number, (() => void)[]> } {
  const atSegment = new Map<number, (() => void)[]>();
  const spans: Span[] = [];
  const sendAt = (segment: number, mark: () => void): void => {
    atSegment.set(segment, [...(atSegment.get(segment) ?? []), mark]);
  };
  let from = 4 + shift;
  for (const [index, { gap, length, marking, ahead }] of breaks.entries()) {
    from += gap;
    const to = from + length + (marking === 'missing return' ? GUARD_SEGMENTS : 0);
    const [atMs, endMs, lengthMs] = [from, from + length, length].map((count) => count * SEGMENT_SECONDS * 1000) as [
      number,
      number,
      number,
    ];
    const eventId = index + 1;
    const announcedAt = Math.max(from - gap, from - ahead);
    const out = (durationMs: number | null, needsReturn?: true) => (): void => {
      stream.splice('out', atMs, durationMs, { eventId, ...(needsReturn ? { needsReturn } : {}) });
    };
    const back = (): void => {
      stream.splice('in', endMs, null, { eventId });
    };
    const backAt = (segment: number): void => {
      sendAt(segment, back);
    };
    switch (marking) {
      case 'announced':
        sendAt(announcedAt, out(lengthMs));
        break;
      case 'open':
        sendAt(announcedAt, out(null));
        backAt(to);
        break;
      case 'early return':
        sendAt(announcedAt, out(lengthMs + 20_000));
        backAt(to);
        break;
      case 'return in time':
        sendAt(announcedAt, out(Math.max(1000, lengthMs - 10_000), true));
        backAt(to);
        break;
      case 'missing return':
        sendAt(announcedAt, out(lengthMs, true));
        break;
      case 'cancelled in time':
        sendAt(announcedAt, out(lengthMs));
        sendAt(from, () => {
          stream.cancel(eventId);
        });
        break;
      case 'repeated':
        for (let segment = announcedAt; segment <= from; segment++) sendAt(segment, out(lengthMs));
        break;
      case 'another inside':
        sendAt(announcedAt, out(lengthMs));
        sendAt(from + Math.floor(length / 2), () => {
          const insideMs = (from + Math.floor(length / 2)) * SEGMENT_SECONDS * 1000;
          stream.splice('out', insideMs + 500, 200, { eventId: 100 + index });
        });
        break;
      case 'another continues': {
        const inside = from + Math.floor(length / 2);
        const outMs = inside * SEGMENT_SECONDS * 1000;
        sendAt(announcedAt, out(lengthMs));
        sendAt(inside, () => {
          const longMs = endMs + OUTLAST_SEGMENTS * SEGMENT_SECONDS * 1000 - outMs;
          stream.splice('out', outMs, longMs, { eventId: 200 + index });
        });
        break;
      }
      case 'cancelled too late':
        sendAt(announcedAt, out(lengthMs));
        sendAt(from + Math.ceil(length / 2), () => {
          stream.cancel(eventId);
        });
        break;
    }
    // A mark cancelled before its time starts no break.
    if (marking === 'cancelled in time') {
      from = to;
      continue;
    }
    spans.push({ from, to });
    // The break has started meanwhile and continues, for current and new viewers.
    if (marking === 'another continues') spans.push({ from: from + Math.floor(length / 2), to: to + OUTLAST_SEGMENTS });
    from = marking === 'another continues' ? to + OUTLAST_SEGMENTS : to;
  }
  return { spans, atSegment };
}

/** Seconds of a break: clips in order, then the fill. */
function secondOf(
  number: number,
  clips: readonly number[],
  { fill }: BreakRules,
  names: readonly number[] = clips.map((_, index) => index),
): string {
  const total = clips.reduce((sum, length) => sum + length, 0);
  if (number >= total && typeof fill === 'object') return 's';
  let left = number % total;
  for (const [index, length] of clips.entries()) {
    if (left < length) return 'abc'.charAt(names[index] ?? 0);
    left -= length;
  }
  return '?';
}

/** End of the clip that plays after `seconds` of a break. Returns `seconds` between two clips and in a slate. */
function clipEnd(seconds: number, clips: readonly number[], { fill }: BreakRules): number {
  const total = clips.reduce((sum, length) => sum + length, 0);
  if (fill !== 'repeat' && seconds >= total) return seconds;
  let end = seconds - (seconds % total);
  for (let index = 0; end < seconds; index++) end += clips[index % clips.length] ?? 1;
  return end;
}

/** State of a viewer between two segments of the stream. */
interface ViewerState {
  /** Number of splice breaks already handled. */
  done: number;
  /** Start of the next break by interval, in seconds. */
  nextBreak: number;
  /** Cause of the active break; false if no break is active. */
  open: false | 'splice' | 'other';
}

/** Segments that a viewer watches without a pause. Each number in `polls` is the end of the playlist at a load. */
interface Visit {
  readonly from: number;
  readonly polls: readonly number[];
  /** True if the visit starts with prerolls. */
  readonly isFirst: boolean;
}

/** Expected letters of a viewer in one visit. */
class Expectation {
  shown = '';
  readonly #form: AdDecision['form'];
  readonly #spans: readonly Span[];
  readonly #case: Case;
  readonly #viewerState: ViewerState;
  #segment: number;
  /** Delay of the viewer, in seconds. */
  #lag = 0;

  constructor(form: AdDecision['form'], spans: readonly Span[], all: Case, viewerState: ViewerState, visit: Visit) {
    this.#form = form;
    this.#spans = spans;
    this.#case = all;
    this.#viewerState = viewerState;
    this.#segment = visit.from;
    const end = visit.polls.at(-1) ?? visit.from;
    if (visit.isFirst) {
      const lengths = all.prerolls.map((index) => all.clips[index % all.clips.length] ?? 1);
      const names = all.prerolls.map((index) => index % all.clips.length);
      if (lengths.length > 0) this.#show(sumOf(lengths), (second) => secondOf(second, lengths, all.rules, names));
    }
    while (this.#segment < end) this.#next();
  }

  /** Decides about the next segment. */
  #next(): void {
    const { insertBy } = this.#case;
    this.#viewerState.open = false;
    if (insertBy === 'interval' ? this.#interval() : this.#splice()) return;
    this.shown += '.'.repeat(SEGMENT_SECONDS);
    this.#segment++;
  }

  #interval(): boolean {
    const { clips, rules } = this.#case;
    const at = this.#segment * SEGMENT_SECONDS + this.#lag;
    if (at < this.#viewerState.nextBreak) return false;
    this.#show(sumOf(clips), (second) => secondOf(second, clips, rules));
    return true;
  }

  #splice(): boolean {
    const { clips, rules } = this.#case;
    const segment = this.#segment;
    const at = this.#spans.findLastIndex(
      (span, index) => index > this.#viewerState.done && span.from <= segment && segment < span.to,
    );
    const span = this.#spans[at];
    if (!span) return false;
    this.#viewerState.done = at;
    let seconds = (span.to - segment) * SEGMENT_SECONDS - this.#lag;
    if (rules.fill === 'programme') seconds = Math.min(seconds, sumOf(clips));
    if (rules.overrun === 'complete') seconds = clipEnd(seconds, clips, rules);
    this.#show(seconds, (second) => secondOf(second, clips, rules));
    if (this.#viewerState.open === 'other') this.#viewerState.open = 'splice';
    return true;
  }

  #show(clipSeconds: number, of: (second: number) => string): void {
    // In-place clips fill the last segment.
    const seconds =
      this.#form === 'in_place' ? Math.ceil(clipSeconds / SEGMENT_SECONDS) * SEGMENT_SECONDS : clipSeconds;
    for (let second = 0; second < seconds; second++) this.shown += of(second);
    const end = this.#segment * SEGMENT_SECONDS + this.#lag + seconds;
    this.#segment = Math.floor(end / SEGMENT_SECONDS);
    this.#lag = end - this.#segment * SEGMENT_SECONDS;
    this.#viewerState.nextBreak = end + this.#case.intervalSeconds;
    this.#viewerState.open = 'other';
  }
}

function sumOf(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** Visits of a viewer. A new visit starts when the playlist does not continue the previous one. */
function visitsOf({ prerolls }: Case, polls: readonly number[]): Visit[] {
  const visits: { from: number; polls: number[]; isFirst: boolean }[] = [];
  for (const poll of polls) {
    const last = visits.at(-1);
    const from = Math.max(0, poll - LISTED);
    if (last && from <= (last.polls.at(-1) ?? 0)) last.polls.push(poll);
    else if (last) visits.push({ from, polls: [poll], isFirst: false });
    else visits.push({ from: prerolls.length > 0 ? poll - JOIN_SEGMENTS : from, polls: [poll], isFirst: true });
  }
  return visits;
}

/** Expected letters of each visit. */
function expected(form: AdDecision['form'], spans: readonly Span[], all: Case, visits: readonly Visit[]): string[] {
  const joinAt = visits[0]?.polls[0] ?? 0;
  const viewerState: ViewerState = {
    done: -1,
    nextBreak: (joinAt - JOIN_SEGMENTS) * SEGMENT_SECONDS + all.intervalSeconds,
    open: false,
  };
  return visits.map((visit) => {
    // A splice break that the viewer left is joined again while it is active. A break by interval is over.
    if (viewerState.open === 'splice') viewerState.done--;
    else if (viewerState.open === 'other') viewerState.nextBreak = visit.from * SEGMENT_SECONDS + all.intervalSeconds;
    return new Expectation(form, spans, all, viewerState, visit).shown;
  });
}

/** Collects the letters that one viewer was shown, from loads of the playlist. */
abstract class Watcher {
  /** One text for each visit. */
  readonly shown: string[] = [''];
  abstract poll(): void;

  protected show(text: string): void {
    this.shown[this.shown.length - 1] += text;
  }
}

class SeparateWatcher extends Watcher {
  readonly #window: AdWindow;
  #next = -1;

  constructor(stream: LiveStream, decision: AdDecision, clips: ConstructorParameters<typeof AdPlan>[1]) {
    super();
    const plan = new AdPlan(decision, clips);
    this.#window = new AdWindow({ stream: stream.window, plan, longestClipSegmentMs: 1000 });
  }

  poll(): void {
    for (const { msn, address, segment } of this.#window.segments('v1')) {
      if (msn < this.#next) continue;
      // No segment is missing or repeated, except for a viewer who was away.
      if (this.#next >= 0 && msn !== this.#next) this.shown.push('');
      this.#next = msn + 1;
      const name = /^[a-z]/.exec(address)?.[0] ?? '.';
      this.show(name.repeat(Math.round(segment.durationTicks / 90_000)));
    }
  }
}

class InPlaceWatcher extends Watcher {
  readonly #plan: InPlacePlan;
  readonly #stream: LiveStream;
  #next = -1;

  constructor(stream: LiveStream, decision: AdDecision, clips: ConstructorParameters<typeof InPlacePlan>[1]) {
    super();
    this.#plan = new InPlacePlan(decision, clips);
    this.#stream = stream;
  }

  poll(): void {
    this.#plan.advance(this.#stream.window);
    for (const { msn } of this.#stream.window.segments('v1')) {
      if (msn < this.#next || msn < this.#plan.firstMsn) continue;
      if (this.#next >= 0 && msn !== this.#next) this.shown.push('');
      this.#next = msn + 1;
      this.show(shownIn(this.#plan.stateOf(msn)));
    }
  }
}

/** Seconds of a segment with in-place clips. */
function shownIn(state: SegmentState): string {
  if (!state || state === 'resumed') return '.'.repeat(SEGMENT_SECONDS);
  const letters = Array.from(
    { length: SEGMENT_SECONDS },
    (_, second) => state.loop.step(state.step + second).clip.path,
  );
  return letters.map((path) => path.charAt(0)).join('');
}

function clipsOf({ clips }: Case): ClipSource {
  const clipsByPath = new Map(
    [...clips.entries()].map(([index, seconds]) => {
      const path = 'abc'.charAt(index);
      return [path, clipOf(path, seconds)];
    }),
  ).set('slate', clipOf('slate', 3));
  return (path) => clipsByPath.get(path) ?? fail(path);
}

function decisionOf(form: AdDecision['form'], all: Case): AdDecision {
  return {
    form,
    midrolls: all.clips.map((_, index) => 'abc'.charAt(index)),
    prerolls: all.prerolls.map((index) => 'abc'.charAt(index % all.clips.length)),
    insertBy: all.insertBy,
    intervalMs: all.intervalSeconds * 1000,
    rules: all.rules,
  };
}

/** Plays a case; returns the segment at each load of the playlist, and the letters shown. */
function play(
  form: AdDecision['form'],
  all: Case,
  stream: LiveStream,
): { readonly polls: number[]; readonly shown: readonly string[]; readonly spans: readonly Span[] } {
  const { spans, atSegment } = plannedMarks(all.breaks, stream);
  const end = Math.max(all.joinAt, (spans.at(-1)?.to ?? 0) + 12);
  const clips = clipsOf(all);
  const decision = decisionOf(form, all);
  const Kind = form === 'separate' ? SeparateWatcher : InPlaceWatcher;
  const polls: number[] = [];
  let watcher: Watcher | undefined;
  let nextPoll = all.joinAt;
  for (let segment = 0; segment <= end; segment++) {
    for (const mark of atSegment.get(segment) ?? []) mark();
    if (segment >= nextPoll || segment === end) {
      watcher ??= new Kind(stream, decision, clips);
      watcher.poll();
      nextPoll = segment + (all.polls[polls.length % all.polls.length] ?? 1);
      polls.push(segment);
    }
    stream.grow();
  }
  return { polls, shown: watcher?.shown ?? [], spans };
}

it.each(['separate', 'in_place'] as const)(
  '%s breaks start and end as the model says, with each clip in order and nothing missing or repeated',
  (form) => {
    fc.assert(
      fc.property(cases, (all) => {
        const stream = new LiveStream({ segmentMs: SEGMENT_SECONDS * 1000, listed: LISTED });
        const { polls, shown, spans } = play(form, all, stream);
        const visits = visitsOf(all, polls);
        const expectedLines = expected(form, spans, all, visits);
        expect(shown).toHaveLength(expectedLines.length);
        for (const [index, { from, polls: visitPolls }] of visits.entries()) {
          const lines = shown[index] ?? '';
          expect([index, expectedLines[index]?.slice(0, lines.length)]).toEqual([index, lines]);
          // The live edge is never further away than a segment plus the viewer's delay.
          const seconds = ((visitPolls.at(-1) ?? from) - from) * SEGMENT_SECONDS;
          expect(lines.length).toBeGreaterThan(seconds - 2 * SEGMENT_SECONDS - 1);
        }
      }),
      { numRuns: Number(process.env['AIRDESK_RUNS'] ?? 300) },
    );
  },
);

it('breaks of an archive are the same for every viewer, whichever segments the viewer seeks to', async () => {
  await fc.assert(
    fc.asyncProperty(cases, fc.nat(400), fc.array(fc.nat(1000), { maxLength: 30 }), async (all, shift, seeks) => {
      const stream = new LiveStream({ segmentMs: SEGMENT_SECONDS * 1000, listed: Infinity });
      const { spans, atSegment } = plannedMarks(all.breaks, stream, shift);
      const end = (spans.at(-1)?.to ?? shift) + 12;
      for (let segment = 0; segment <= end; segment++) {
        for (const mark of atSegment.get(segment) ?? []) mark();
        stream.grow();
      }
      const bySplices: Case = { ...all, insertBy: 'splicing', prerolls: [] };
      const [expectedLine = ''] = expected('in_place', spans, bySplices, [{ from: 0, polls: [end], isFirst: true }]);
      const decision = decisionOf('separate', { ...bySplices, prerolls: all.prerolls });
      const breaks = new ArchiveBreaks(decision, { clips: clipsOf(all), delivered: () => undefined });
      const opened = new Map<number, StreamOutput>();
      const near = Array.from({ length: end - shift }, (_, index) => shift + index);
      for (const segment of [...seeks.map((number) => number % end), ...near]) {
        const startMs = segment * SEGMENT_SECONDS * 1000;
        const output = await breaks.outputFor({ startMs }, async (fromMs, toMs) => {
          const archive = opened.get(fromMs) ?? new StreamOutput('cam', stream.recorded({ fromMs, toMs }));
          opened.set(fromMs, archive);
          return Promise.resolve(archive);
        });
        const state = output && (output.plan as InPlacePlan).stateOf(segment);
        expect([segment, shownIn(state)]).toEqual([segment, expectedLine.slice(segment * SEGMENT_SECONDS).slice(0, 2)]);
      }
    }),
    { numRuns: Number(process.env['AIRDESK_RUNS'] ?? 50) },
  );
});

function fail(path: string): never {
  throw new RangeError(path);
}
