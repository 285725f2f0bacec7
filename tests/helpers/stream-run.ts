import { FakeClock } from './fake-clock.ts';
import type { AccessUnit, FormatProblem } from '../../src-main/media/access-unit.ts';
import type { Track } from '../../src-main/media/track.ts';
import { LiveWindow } from '../../src-main/segment/live-window.ts';
import { RunWindow, type ResumePoint } from '../../src-main/segment/run-window.ts';
import { Segmenter } from '../../src-main/segment/segmenter.ts';
import { SEGMENTER_DEFAULTS, type SegmenterOptions } from '../../src-main/segment/segmenter-options.ts';
import type { WindowEvent } from '../../src-main/segment/window-event.ts';
import { StreamHub } from '../../src-main/stream/stream-hub.ts';
import { WatchedPool } from './memory-model.ts';
import { madeTracks, madeUnits, type MadeInput } from './made-input.ts';

/**
 * Runs a stream from generated inputs to a window, in the order and timing of a media thread, with a controlled clock.
 */
export class StreamRun {
  readonly clock: FakeClock;
  readonly events: WindowEvent[] = [];
  readonly problems: FormatProblem[] = [];
  readonly pool = new WatchedPool();
  readonly window: LiveWindow;
  /** Current run on the window. */
  run: RunWindow;
  readonly options: SegmenterOptions;
  /** Called before each batch of events is applied to the window. */
  onEvents: ((events: readonly WindowEvent[]) => void) | undefined;
  /** Called after each batch of events was applied to the window. */
  onBatch: ((events: readonly WindowEvent[]) => void) | undefined;
  hub: StreamHub;
  #segmenter: Segmenter;
  #batch: WindowEvent[] = [];
  #applied: readonly WindowEvent[] = [];

  /** @param nextMsn number of the first segment */
  constructor(options: Partial<SegmenterOptions> = {}, clock = new FakeClock(), nextMsn = 100) {
    this.clock = clock;
    this.options = { ...SEGMENTER_DEFAULTS, ...options };
    this.window = new LiveWindow(this.options);
    this.window.onChange(() => this.onBatch?.(this.#applied));
    const start = { endMs: 0, resume: { nextMsn, nextInitId: nextMsn - 93, isContinuation: false } };
    this.run = this.#open(start);
    [this.hub, this.#segmenter] = this.#media(start);
  }

  /** Plays an input in real time; each unit is a batch. */
  play(input: MadeInput): void {
    this.playing(input)(Infinity);
  }

  /** Plays an input up to the time passed to the returned function, in milliseconds from its start. */
  playing(input: MadeInput): (untilMs: number) => void {
    const start = this.clock.now();
    const units = madeUnits(input);
    let next = 0;
    this.hub.tracks(madeTracks(input));
    this.#flush();
    return (untilMs) => {
      for (let unit = units[next]; unit && unit.arrivesMs < untilMs; unit = units[++next]) {
        this.clock.advance(Math.max(0, start + unit.arrivesMs - this.clock.now()));
        this.hub.accessUnit(unit.unit);
        this.#flush();
      }
    };
  }

  /** Plays access units of any kind, at their own times. */
  playUnits(tracks: readonly Track[], units: Iterable<AccessUnit>): void {
    const start = this.clock.now();
    let first: number | undefined;
    this.hub.tracks(tracks);
    this.#flush();
    for (const unit of units) {
      first ??= unit.dtsTicks;
      this.clock.advance(Math.max(0, start + (unit.dtsTicks - first) / 90 - this.clock.now()));
      this.hub.accessUnit(unit);
      this.#flush();
    }
  }

  /** Sends other calls to the hub than access units; the events are a batch. */
  feed(give: () => void): void {
    give();
    this.#flush();
  }

  /** Requests chunks of open parts. @param untilMs epoch milliseconds */
  wantChunks(untilMs: number): void {
    this.#segmenter.wantChunks(untilMs);
  }

  /** Ends the input, and advances the clock by `ms` milliseconds. */
  idle(ms: number): void {
    this.hub.inputEnded();
    this.#flush();
    this.clock.advance(ms);
  }

  /** Closes and reopens the stream; the window is kept. */
  restart(): void {
    const { timeline } = this.hub;
    this.close();
    const { endMs, resume } = this.run.resumePoint;
    this.#next({ endMs: Math.max(timeline.endMs, endMs), resume });
  }

  /** Crashes the thread of the stream: open segments are ended, and the stream continues in another run. */
  crash(): void {
    this.run.interrupt();
    this.run.close();
    this.#next(this.run.resumePoint);
  }

  /** Ends the run. */
  close(): void {
    this.hub.inputEnded();
    this.#segmenter.close();
    this.#flush();
    this.run.close();
  }

  /** Starts another run. */
  #next(start: ResumePoint): void {
    this.run = this.#open(start);
    [this.hub, this.#segmenter] = this.#media(start);
  }

  #open(start: ResumePoint): RunWindow {
    const run = new RunWindow(this.window, start);
    run.onEvents((events) => {
      this.#applied = events;
      this.events.push(...events);
      this.onEvents?.(events);
    });
    return run;
  }

  #media({ endMs, resume }: ResumePoint): [StreamHub, Segmenter] {
    const problem = (found: FormatProblem): void => {
      this.problems.push(found);
    };
    const hub = new StreamHub(this.clock, problem, endMs);
    const emit = (event: WindowEvent): void => void this.#batch.push(event);
    const segmenter = new Segmenter(this.options, emit, problem, resume, this.pool);
    hub.addReader(segmenter);
    return [hub, segmenter];
  }

  #flush(): void {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.run.apply(batch);
  }
}
