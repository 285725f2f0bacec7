import { FakeClock } from './fake-clock.ts';
import type { AccessUnit, FormatProblem } from '../../src-main/media/access-unit.ts';
import type { Track } from '../../src-main/media/track.ts';
import { LiveWindow } from '../../src-main/segment/live-window.ts';
import {
  Segmenter,
  SEGMENTER_DEFAULTS,
  type SegmenterOptions,
  type SegmenterResume,
} from '../../src-main/segment/segmenter.ts';
import type { WindowEvent } from '../../src-main/segment/window-event.ts';
import { StreamHub } from '../../src-main/stream/stream-hub.ts';
import { WatchedPool } from './memory-model.ts';
import { madeTracks, madeUnits, type MadeInput } from './made-input.ts';

/** One stream from made inputs to a window, in the order and at the pace of a media thread, with a clock that is moved. */
export class StreamRun {
  readonly clock = new FakeClock();
  readonly events: WindowEvent[] = [];
  readonly problems: FormatProblem[] = [];
  readonly pool = new WatchedPool();
  readonly window: LiveWindow;
  readonly options: SegmenterOptions;
  /** Called before each batch of events is applied to the window. */
  onEvents: ((events: readonly WindowEvent[]) => void) | undefined;
  /** Called after each batch of events was applied to the window. */
  onBatch: ((events: readonly WindowEvent[]) => void) | undefined;
  hub: StreamHub;
  #segmenter: Segmenter;
  #batch: WindowEvent[] = [];
  #nextMsn = 100;
  #nextInitId = 7;

  constructor(options: Partial<SegmenterOptions> = {}) {
    this.options = { ...SEGMENTER_DEFAULTS, ...options };
    this.window = new LiveWindow(this.options);
    const life = this.#newRun(0, { nextMsn: this.#nextMsn, nextInitId: this.#nextInitId, isContinuation: false });
    this.hub = life.hub;
    this.#segmenter = life.segmenter;
  }

  /** Plays an input at its own pace; each unit is a batch. */
  play(input: MadeInput): void {
    this.playing(input)(Infinity);
  }

  /** Plays an input only as far as the returned function is told, in milliseconds from its start. */
  playing(input: MadeInput): (untilMs: number) => void {
    const start = this.clock.now();
    const units = madeUnits(input);
    let next = 0;
    this.hub.tracks(madeTracks(input));
    this.#flush();
    return (untilMs) => {
      for (let made = units[next]; made && made.arrivesMs < untilMs; made = units[++next]) {
        this.clock.advance(Math.max(0, start + made.arrivesMs - this.clock.now()));
        this.hub.accessUnit(made.unit);
        this.#flush();
      }
    };
  }

  /** Plays access units of any kind, at the pace of their own times. */
  playUnits(tracks: readonly Track[], units: Iterable<AccessUnit>): void {
    const start = this.clock.now();
    let first: number | undefined;
    this.hub.tracks(tracks);
    for (const unit of units) {
      first ??= unit.dtsTicks;
      this.clock.advance(Math.max(0, start + (unit.dtsTicks - first) / 90 - this.clock.now()));
      this.hub.accessUnit(unit);
      this.#flush();
    }
  }

  /** The input is gone for so long. */
  idle(ms: number): void {
    this.hub.inputEnded();
    this.#flush();
    this.clock.advance(ms);
  }

  /** The stream is closed and opened again; the window stays. */
  restart(): void {
    this.hub.inputEnded();
    this.#segmenter.close();
    this.#flush();
    const life = this.#newRun(this.hub.timeline.endMs, {
      nextMsn: this.#nextMsn,
      nextInitId: this.#nextInitId,
      isContinuation: true,
    });
    this.hub = life.hub;
    this.#segmenter = life.segmenter;
  }

  /** The thread of the stream dies in the middle of it: somebody else ends what is open, and it goes on in a new life. */
  crash(
    ending: readonly WindowEvent[],
    { endMs, resume }: { readonly endMs: number; readonly resume: SegmenterResume },
  ): void {
    this.#batch.push(...ending);
    this.#flush();
    const life = this.#newRun(endMs, resume);
    this.hub = life.hub;
    this.#segmenter = life.segmenter;
  }

  /** Ends the stream for good. */
  close(): void {
    this.hub.inputEnded();
    this.#segmenter.close();
    this.#flush();
  }

  #newRun(endMs: number, resume: SegmenterResume): { hub: StreamHub; segmenter: Segmenter } {
    const problem = (found: FormatProblem): void => {
      this.problems.push(found);
    };
    const hub = new StreamHub(this.clock, problem, endMs);
    const emit = (event: WindowEvent): void => {
      if (event.type === 'segment-start') this.#nextMsn = Math.max(this.#nextMsn, event.msn + 1);
      else if (event.type === 'init') this.#nextInitId = event.initId + 1;
      this.#batch.push(event);
    };
    const segmenter = new Segmenter(this.options, emit, problem, resume, this.pool);
    hub.addReader(segmenter);
    return { hub, segmenter };
  }

  #flush(): void {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.events.push(...batch);
    this.onEvents?.(batch);
    this.window.apply(batch);
    this.onBatch?.(batch);
  }
}
