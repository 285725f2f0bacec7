import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Input, InputEnd, InputSink } from '../input.ts';
import type { FakeOptions } from './fake-options.ts';
import { LoopPlayer } from './loop-player.ts';
import { PlayTimer } from './play-timer.ts';
import { prepareLoop, type PreparedLoop } from './prepared-loop.ts';
import { SpliceSchedule } from './splice-schedule.ts';
import type { TestPictureSpec, TestPictureSource } from './test-picture-source.ts';
import { messageOf } from '../../lib/error-message.ts';

export interface FakeInputsOptions {
  readonly clock: Clock;
  readonly source: TestPictureSource;
}

/** Loop shared by inputs of this thread, and their number. */
interface SharedLoop {
  readonly loop: Promise<PreparedLoop | undefined>;
  users: number;
}

/** All `fake://` inputs of a thread: they share one timer, and inputs with the same options share their access units. */
export class FakeInputs {
  readonly #clock: Clock;
  readonly #source: TestPictureSource;
  readonly #timer: PlayTimer;
  readonly #loops = new Map<string, SharedLoop>();

  constructor(options: FakeInputsOptions) {
    this.#clock = options.clock;
    this.#source = options.source;
    this.#timer = new PlayTimer(options.clock);
  }

  /** Creates an input. The first input with these options waits some seconds for the encoder. */
  open(options: FakeOptions, sink: InputSink): Input {
    let isClosed = false;
    let stop: (() => void) | undefined;
    let release: (() => void) | undefined;
    const end = (ended: InputEnd): void => {
      if (!isClosed) sink.ended(ended);
      isClosed = true;
      release?.();
    };
    const play = (loop: PreparedLoop): void => {
      sink.tracks(loop.tracks);
      const player = new LoopPlayer(loop, sink, this.#clock.now());
      const splices =
        options.spliceSeconds > 0
          ? new SpliceSchedule({ everySeconds: options.spliceSeconds, kind: options.spliceKind, ...player.anchor })
          : undefined;
      const turn = (nowMs: number): void => {
        if (player.play(nowMs)) splices?.advance(player.lastTicks, sink);
      };
      turn(this.#clock.now());
      // The sink may close the input during its first access units.
      if (!isClosed) stop = this.#timer.add(turn);
    };
    return {
      start: () => {
        const shared = this.#share(options.picture);
        release = once(() => {
          this.#release(options.picture);
        });
        shared.then(
          (loop) => {
            if (isClosed) return;
            if (loop) play(loop);
            else end({ code: 'input_unreadable', ...because('test_picture_damaged') });
          },
          (error: unknown) => {
            end(asInputEnd(error));
          },
        );
      },
      close: () => {
        isClosed = true;
        stop?.();
        release?.();
        return Promise.resolve();
      },
    };
  }

  #share(picture: TestPictureSpec): Promise<PreparedLoop | undefined> {
    const key = keyOf(picture);
    let shared = this.#loops.get(key);
    if (!shared) {
      shared = { loop: this.#source.load(picture).then(prepareLoop), users: 0 };
      this.#loops.set(key, shared);
    }
    shared.users++;
    return shared.loop;
  }

  #release(picture: TestPictureSpec): void {
    const shared = this.#loops.get(keyOf(picture));
    if (shared && --shared.users === 0) this.#loops.delete(keyOf(picture));
  }
}

function keyOf(picture: TestPictureSpec): string {
  return Object.entries(picture).sort().join(' ');
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}

function asInputEnd(error: unknown): InputEnd {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'internal';
  return { code, detail: messageOf(error) };
}
