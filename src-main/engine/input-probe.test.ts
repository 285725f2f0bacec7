import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { madeAudio, madeVideo } from '../../tests/helpers/made-input.ts';
import { settled } from '../../tests/helpers/settled.ts';
import type { Input, InputEnd, InputSink } from '../ingest/input.ts';
import { probeInput } from './input-probe.ts';
import type { ProbedInput } from './messages.ts';

const LIMIT_MS = 10_000;

/** A probe whose input is played by the test. */
class Stage {
  readonly clock = new FakeClock();
  readonly #abort = new AbortController();
  sink!: InputSink;
  isOpen = false;
  answer: ProbedInput | InputEnd | undefined;
  readonly done: Promise<void>;

  constructor(make: (sink: InputSink) => Input = (sink) => this.#input(sink)) {
    const probe = probeInput(
      { spec: { url: 'udp://239.0.0.1:1234', options: {} }, limitMs: LIMIT_MS },
      { clock: this.clock, makeInput: (_spec, sink) => make(sink), signal: this.#abort.signal },
    );
    this.done = probe.then((answer) => {
      this.answer = answer;
    });
  }

  cancel(): void {
    this.#abort.abort();
  }

  /**
   * Sends pictures of 1000 bytes at 25 fps with a key frame every second, and audio of 200 bytes at 50 frames per
   * second.
   */
  play(seconds: number, fromSeconds = 0): void {
    for (let frame = 0; frame < seconds * 25; frame++) {
      const dtsTicks = (fromSeconds * 25 + frame) * 3600;
      const isRandomAccess = frame % 25 === 0;
      this.#unit('v1', dtsTicks, isRandomAccess, Buffer.alloc(1000, frame));
      for (const half of [0, 1800]) this.#unit('a1', dtsTicks + half, true, Buffer.alloc(200));
    }
  }

  #unit(trackId: string, dtsTicks: number, isRandomAccess: boolean, data: Buffer): void {
    this.sink.accessUnit({ trackId, dtsTicks, ptsTicks: dtsTicks, isRandomAccess, data });
  }

  #input(sink: InputSink): Input {
    this.sink = sink;
    return {
      start: () => {
        this.isOpen = true;
      },
      close: () => {
        this.isOpen = false;
        return Promise.resolve();
      },
    };
  }
}

const mpeg2 = {
  code: 'codec_unknown',
  detail: 'MPEG-2 video',
  leftOut: [{ content: 'video', codec: 'MPEG-2 video' }],
} as const;

describe('an input probe', () => {
  it('returns tracks, bit rates by media time and the newest key frame, and closes the input', async () => {
    const stage = new Stage();
    stage.sink.tracks([madeVideo(), madeAudio()]);
    stage.play(3);
    await stage.done;
    expect(stage.isOpen).toBe(false);
    const { tracks, picture, leftOut } = stage.answer as ProbedInput;
    expect(tracks.map(({ track, bitrate, rate }) => [track.id, bitrate, rate])).toEqual([
      ['v1', 200_000, 25],
      ['a1', 80_000, 50],
    ]);
    expect([picture?.codec, picture?.data[0], leftOut]).toEqual(['h264', 50, []]);
    expect(stage.clock.timerCount).toBe(0);
  });

  it('waits for a key frame up to its time limit, and then returns a result without a picture', async () => {
    const stage = new Stage();
    stage.sink.tracks([madeVideo()]);
    stage.sink.accessUnit({ trackId: 'v1', dtsTicks: 0, ptsTicks: 0, isRandomAccess: false, data: Buffer.alloc(9) });
    stage.clock.advance(LIMIT_MS - 1);
    await settled();
    expect(stage.answer).toBeUndefined();
    stage.clock.advance(1);
    await stage.done;
    expect(stage.answer).toMatchObject({ tracks: [{ track: { id: 'v1' }, bitrate: 0 }] });
    expect(stage.answer).not.toHaveProperty('picture');
  });

  it('lists each unsupported track once, also if the input ends because of it', async () => {
    const stage = new Stage();
    stage.sink.problem(mpeg2);
    stage.sink.problem(mpeg2);
    stage.sink.ended({ code: 'input_no_tracks', detail: 'only MPEG-2 video' });
    await stage.done;
    expect(stage.answer).toMatchObject({ tracks: [], leftOut: mpeg2.leftOut, problems: [{ code: 'codec_unknown' }] });
  });

  it('restarts its measurement after a jump of the input clock', async () => {
    const stage = new Stage();
    stage.sink.tracks([madeVideo(), madeAudio()]);
    stage.play(1);
    stage.play(3, 9000);
    await stage.done;
    expect((stage.answer as ProbedInput).tracks.map(({ bitrate }) => bitrate)).toEqual([200_000, 80_000]);
  });

  it('returns what a short file contained', async () => {
    const stage = new Stage();
    stage.sink.tracks([madeVideo(), madeAudio()]);
    stage.play(1);
    stage.sink.ended({ code: 'input_ended', detail: 'the file ended' });
    await stage.done;
    expect(stage.answer).toMatchObject({ tracks: [{}, {}], picture: { codec: 'h264' } });
  });

  it('returns the reason if the input ends, or sends no media in time', async () => {
    const refused = new Stage();
    refused.sink.ended({ code: 'input_refused', detail: 'status 401' });
    await refused.done;
    expect([refused.answer, refused.isOpen]).toEqual([{ code: 'input_refused', detail: 'status 401' }, false]);

    const silent = new Stage();
    silent.clock.advance(LIMIT_MS);
    await silent.done;
    expect([silent.answer, silent.isOpen]).toMatchObject([{ code: 'input_timed_out' }, false]);
  });

  it('returns the reason if the address cannot be opened', async () => {
    const stage = new Stage(() => {
      throw Object.assign(new Error('no such folder'), { code: 'bad_input_url', detail: 'no such folder' });
    });
    await stage.done;
    expect(stage.answer).toMatchObject({ code: 'bad_input_url', detail: 'no such folder' });
  });

  it('closes the input when cancelled, and does not wait for an input that never closes', async () => {
    const stage = new Stage();
    stage.cancel();
    await stage.done;
    expect([stage.answer, stage.isOpen, stage.clock.timerCount]).toMatchObject([{ code: 'input_ended' }, false, 0]);

    const stuck = new Stage(() => ({ start: () => undefined, close: () => new Promise(() => undefined) }));
    stuck.cancel();
    await settled();
    stuck.clock.advance(2000);
    await stuck.done;
    expect(stuck.answer).toMatchObject({ code: 'input_ended' });
  });
});
