import type { FailoverOutput } from '../../src-main/ingest/failover.ts';
import { Failover } from '../../src-main/ingest/failover.ts';
import type { FailoverNotice } from '../../src-main/ingest/failover-notice.ts';
import type { Input, InputEnd, InputSink } from '../../src-main/ingest/input.ts';
import { BackOff } from '../../src-main/lib/back-off.ts';
import { FakeClock } from './fake-clock.ts';
import type { Track } from '../../src-main/media/track.ts';
import { madeVideo } from './made-input.ts';

/** Input on the stage. */
export interface StagedInput {
  readonly kind: 'pull' | 'publish' | 'backup';
  readonly priority?: number;
  readonly framesTimeoutMs?: number;
  readonly sourceTimeoutMs?: number;
  /** Time before the input is opened, in milliseconds. */
  readonly heldMs?: number;
}

/** Input whose frames the test controls. */
export interface FedInput {
  readonly kind: StagedInput['kind'];
  readonly tracks: readonly Track[];
  /** Whether frames arrive while the input is open. */
  isOnline: boolean;
  /** Sink of the frames; undefined while the input is closed. */
  sink: InputSink | undefined;
  /** Start times of the connections, in milliseconds of the clock. */
  readonly opens: number[];
  /** Number of open connections: more than one is a fault. */
  open: number;
  gop: number;
  /** Number of frames delivered; each is identified by its bytes. */
  frames: number;
}

/** Calls to the output in order: `frame 1`, `switched`, `rejoined`, `idle`, `tracks 1`. */
export type OutputCall = { readonly atMs: number; readonly what: string; readonly input: number };

export const FRAME_MS = 40;
const GOP_FRAMES = 25;

/** Failover with generated inputs, driven by a clock. If there is a backup, it is the last input. */
export class FailoverStage {
  readonly clock = new FakeClock();
  readonly fedInputs: readonly FedInput[];
  readonly failover: Failover;
  readonly calls: OutputCall[] = [];
  readonly notices: (FailoverNotice & { readonly atMs: number })[] = [];
  readonly problems: string[] = [];
  /** Called after the duration of each frame. */
  onStep: (() => void) | undefined;
  publishersGone = 0;
  readonly #startMs = this.clock.now();

  constructor(
    inputs: readonly StagedInput[],
    options: { readonly retryLimit?: number; readonly backupAfterMs?: number; readonly sameFormat?: boolean } = {},
  ) {
    this.fedInputs = inputs.map(({ kind }, index) => ({
      kind,
      tracks: [madeVideo('v1', options.sameFormat ? 0 : index)],
      isOnline: false,
      sink: undefined,
      opens: [],
      open: 0,
      gop: 0,
      frames: 0,
    }));
    const specs = inputs.map((input, index) => ({
      label: input.kind === 'backup' ? 'backup' : `input ${index + 1}`,
      priority: input.priority ?? index + 1,
      framesTimeoutMs: input.framesTimeoutMs ?? 3000,
      sourceTimeoutMs: input.sourceTimeoutMs ?? 20_000,
      ...(input.heldMs === undefined ? {} : { heldUntilMs: this.clock.now() + input.heldMs }),
      ...(input.kind === 'publish' ? {} : { make: (sink: InputSink) => this.#make(index, sink) }),
    }));
    const backup = specs.find(({ label }) => label === 'backup');
    this.failover = new Failover({
      clock: this.clock,
      inputs: specs.filter((spec) => spec !== backup),
      ...(backup?.make ? { backup: { ...backup, afterMs: options.backupAfterMs ?? 3000 } } : {}),
      retryLimit: options.retryLimit ?? null,
      output: this.#output(),
      received: () => {},
      notice: (notice) => this.notices.push({ ...notice, atMs: this.nowMs }),
      makeBackOff: () => new BackOff({ random: () => 0 }),
    });
  }

  /** Milliseconds since the stage was built. */
  get nowMs(): number {
    return this.clock.now() - this.#startMs;
  }

  /** Number of the input on air, counted from 0; -1 for none. */
  get onAir(): number {
    const { active } = this.failover;
    return active && this.failover.onAirSinceMs > 0
      ? this.fedInputs.findIndex((_, index) => active.spec.label === this.#labelOf(index))
      : -1;
  }

  /** Events of the notices so far, with the input. */
  get story(): string[] {
    return this.notices.map(({ event, input }) => (input === undefined ? event : `${event} ${input}`));
  }

  fedInput(index: number): FedInput {
    const fedInput = this.fedInputs[index];
    if (!fedInput) throw new Error(`there is no input ${index}`);
    return fedInput;
  }

  /** Advances the time frame by frame. */
  run(ms: number): void {
    for (let left = ms; left > 0; left -= FRAME_MS) {
      this.clock.advance(Math.min(FRAME_MS, left));
      for (const fedInput of this.fedInputs) this.#frame(fedInput);
      this.onStep?.();
    }
  }

  /** Stalls the thread: timers are late, and frames wait. @param first event that is handled first after the stall */
  stall(ms: number, first: 'frames' | 'clock'): void {
    this.clock.stall(ms);
    if (first === 'clock') this.clock.advance(0);
    for (const fedInput of this.fedInputs) this.#frame(fedInput);
  }

  /** Connects an encoder. */
  publish(index: number): void {
    const fedInput = this.fedInput(index);
    let isOpen = true;
    let ownSink: InputSink | undefined = undefined;
    fedInput.open++;
    const leave = (): void => {
      if (isOpen) fedInput.open--;
      isOpen = false;
      if (fedInput.sink === ownSink) fedInput.sink = undefined;
    };
    const sink = this.failover.publish({ label: 'encoder', close: leave }, () => {
      this.publishersGone++;
    });
    if (!sink) throw new Error('no input waits for an encoder');
    ownSink = {
      ...sink,
      ended: (end) => {
        leave();
        sink.ended(end);
      },
    };
    this.#connected(fedInput, ownSink);
  }

  /** Ends the connection by the peer. */
  end(index: number, code = 'input_ended'): void {
    const fedInput = this.fedInput(index);
    const sink = fedInput.sink;
    fedInput.sink = undefined;
    sink?.ended({ code, detail: 'the other side ended it' } satisfies InputEnd);
  }

  /** Maximum time between two frames of the output, in milliseconds. */
  longestGapMs(fromMs: number, toMs: number): number {
    const times = this.calls
      .filter(({ what, atMs }) => what === 'frame' && atMs > fromMs && atMs < toMs)
      .map(({ atMs }) => atMs);
    return [...times, toMs].reduce((longest, atMs, index) => Math.max(longest, atMs - (times[index - 1] ?? fromMs)), 0);
  }

  #labelOf(index: number): string {
    return this.fedInputs[index]?.kind === 'backup' ? 'backup' : `input ${index + 1}`;
  }

  #make(index: number, sink: InputSink): Input {
    const fedInput = this.fedInput(index);
    return {
      start: () => {
        fedInput.open++;
        this.#connected(fedInput, sink);
      },
      close: () => {
        fedInput.open--;
        if (fedInput.sink === sink) fedInput.sink = undefined;
        return Promise.resolve();
      },
    };
  }

  #connected(fedInput: FedInput, sink: InputSink): void {
    fedInput.opens.push(this.nowMs);
    fedInput.sink = sink;
    fedInput.gop = 0;
    sink.tracks(fedInput.tracks);
  }

  #frame(fedInput: FedInput): void {
    if (!fedInput.isOnline || !fedInput.sink) return;
    fedInput.frames++;
    const dtsTicks = this.nowMs * 90;
    const isRandomAccess = fedInput.gop++ % GOP_FRAMES === 0;
    fedInput.sink.accessUnit({
      trackId: 'v1',
      dtsTicks,
      ptsTicks: dtsTicks,
      isRandomAccess,
      data: Uint8Array.of(this.fedInputs.indexOf(fedInput), isRandomAccess ? 1 : 0),
    });
  }

  #output(): FailoverOutput {
    const record = (what: string, input = -1): void => {
      this.calls.push({ what, input, atMs: this.nowMs });
    };
    return {
      tracks: (tracks) => {
        record(
          'tracks',
          this.fedInputs.findIndex((fedInput) => fedInput.tracks === tracks),
        );
      },
      accessUnit: ({ data }) => {
        record('frame', data[0]);
      },
      splice: () => {
        record('splice');
      },
      problem: ({ code, detail }) => {
        this.problems.push(`${code} ${detail}`);
      },
      inputSwitched: () => {
        record('switched');
      },
      inputRejoined: () => {
        record('rejoined');
      },
      inputEnded: () => {
        record('idle');
      },
    };
  }
}
