import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ArchiveStage } from '../../../tests/helpers/archive-stage.ts';
import { windowFaults } from '../../../tests/helpers/check-window.ts';
import type { MadeInput } from '../../../tests/helpers/made-input.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { RewindWindow } from './rewind-window.ts';

/** Number of random streams per run. Set AIRDESK_RUNS to test more of them. */
const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 12);

const REQUEST = { kind: 'rewind', depthMs: 60_000 } as const;

/** Step of a scenario: seconds of media with a disk that works, hangs or fails; or idle time; or another run. */
type Step =
  | { readonly seconds: number; readonly disk: 'works' | 'hangs' | 'fails' }
  | { readonly idleMs: number }
  | { readonly isKilled: boolean; readonly awayMs: number }
  | 'restart';

const played = fc.record({
  seconds: fc.integer({ min: 1, max: 25 }),
  disk: fc.constantFrom('works' as const, 'works' as const, 'hangs' as const, 'fails' as const),
});

const anySteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: played,
    },
    { weight: 1, arbitrary: fc.record({ idleMs: fc.constantFrom(0, 3000, 40_000) }) },
    { weight: 1, arbitrary: fc.constant<Step>('restart') },
  ),
  { minLength: 3, maxLength: 8 },
);

/** Disk with the faults of a scenario. */
class FaultyDisk {
  state: 'works' | 'hangs' | 'fails' = 'works';
  readonly #waiting: (() => void)[] = [];

  constructor(stage: ArchiveStage) {
    stage.disks.before = (operation) => {
      if (operation !== 'write' && operation !== 'create') return undefined;
      if (this.state === 'fails') throw Object.assign(new Error('a bad disk'), { code: 'EIO' });
      return this.state === 'hangs' ? new Promise((resolve) => this.#waiting.push(resolve)) : undefined;
    };
  }

  become(state: FaultyDisk['state']): void {
    this.state = state;
    if (state !== 'hangs') for (const go of this.#waiting.splice(0)) go();
  }
}

/** Segment in a playlist that a player has seen. */
interface SeenSegment {
  readonly address: string;
  readonly isGap: boolean;
  readonly isCut: boolean;
  /** Number of discontinuities before the segment, as the player counts them. */
  readonly before: number;
}

/** Compares each reload of a window's playlists with what a player has seen. */
class Reloads {
  readonly faults: string[] = [];
  /**
   * Whether the server has restarted. Then lost segments keep only their number, a block after a gap is a
   * discontinuity, and media that a hanging disk finally wrote is back.
   */
  hasRestarted = false;
  /** Whether the disk has failed or hung, so that the recording may have gaps. */
  hasGaps = false;
  window: RewindWindow;
  readonly #segments = new Map<string, SeenSegment>();
  readonly #first = new Map<string, number>();

  constructor(window: RewindWindow) {
    this.window = window;
  }

  reload(): void {
    this.faults.push(...windowFaults(this.window, Infinity));
    for (const { track } of this.window.tracks) {
      const segments = this.window.segments(track.id);
      const [first] = segments;
      if (!first) continue;
      const firstMsn = this.#first.get(track.id) ?? first.msn;
      if (first.msn < firstMsn && !(this.hasRestarted && this.hasGaps))
        this.faults.push(`${track.id} goes back from ${firstMsn} to ${first.msn}`);
      this.#first.set(track.id, first.msn);
      // Counted as a player does, from the playlist's value for its first segment.
      let before = first.discontinuitySequence;
      for (const { msn, address, isDiscontinuity, segment } of segments) {
        const name = `${track.id} ${msn}`;
        const earlier = this.#segments.get(name);
        // An unrecorded segment may only lose its media. The media may be back after a restart of the server.
        const isSame = earlier?.address === address || segment.isGap || (this.hasRestarted && earlier?.isGap === true);
        if (earlier && !isSame) this.faults.push(`${name} is ${address}, and was ${earlier.address}`);
        // A new window starts without the discontinuity, but counts it.
        const isLess = this.hasRestarted && (this.hasGaps || segment.isGap || msn === first.msn);
        const isKnown = earlier && !isLess;
        if (isKnown && earlier.isCut !== isDiscontinuity) this.faults.push(`${name} is a cut: ${isDiscontinuity}`);
        // A new window may know one more discontinuity before all its segments.
        const isCounted = this.hasRestarted ? before >= (earlier?.before ?? 0) : before === (earlier?.before ?? before);
        if (isKnown && !isCounted) this.faults.push(`${name} comes after ${before} cuts, not ${earlier.before}`);
        this.#segments.set(name, { address, isGap: segment.isGap, isCut: isDiscontinuity, before });
        if (isDiscontinuity) before++;
      }
    }
  }
}

async function rewind(stage: ArchiveStage): Promise<RewindWindow> {
  const opening = stage.playback.open('c/03', REQUEST, 1000);
  let isOpen = false;
  void opening.finally(() => (isOpen = true));
  for (let wait = 0; wait < 40 && !isOpen; wait++) {
    await settled();
    stage.stream.clock.advance(250);
  }
  const window = await opening;
  if (!(window instanceof RewindWindow)) throw new Error('another window');
  return window;
}

/** Plays the steps, and compares each reload of a viewer with the earlier reloads. */
async function play(steps: readonly Step[], segmentCount: number): Promise<void> {
  const stage = new ArchiveStage({ segmentMs: 1000, segmentCount });
  const disk = new FaultyDisk(stage);
  const video = { fps: 25, gopFrames: 25, bFrames: 0 };
  const input: MadeInput = { video, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 25 };
  await stage.record();
  await stage.play({ ...input, seconds: 3 });
  // All data is on the disk.
  await stage.idle(2000);
  const reloads = new Reloads(await rewind(stage));
  let isOpening = false;
  for (const step of steps) {
    if (step === 'restart') {
      stage.stream.restart();
      await stage.record();
    } else if ('idleMs' in step) await stage.idle(step.idleMs);
    else if ('awayMs' in step) {
      disk.become('works');
      await settled();
      await stage.startAgain(step);
      reloads.hasRestarted = true;
      isOpening = true;
    } else {
      disk.become(step.disk);
      reloads.hasGaps ||= step.disk !== 'works';
      const { clock } = stage.stream;
      const start = clock.now();
      const playTo = stage.stream.playing(input);
      for (let ms = 250; ms <= step.seconds * 1000; ms += 250) {
        playTo(ms);
        clock.advance(Math.max(0, start + ms - clock.now()));
        await settled();
        // A window without requests is dropped.
        const opened = stage.playback.open('c/03', REQUEST, 1000);
        void opened.then((window) => {
          if (!(window instanceof RewindWindow)) return;
          reloads.window = window;
          isOpening = false;
        });
        if (!isOpening) await opened;
        if (!isOpening) reloads.reload();
      }
    }
    if (!isOpening) reloads.reload();
    expect(reloads.faults).toEqual([]);
  }
  disk.become('works');
  stage.playback.close();
  await stage.close();
}

/** The disk fails for a second after a short segment, so that the recorded gap is shorter than the live one. */
const SHORT_MISSING: readonly Step[] = [
  { idleMs: 3000 },
  { seconds: 3, disk: 'works' },
  { seconds: 1, disk: 'works' },
  { seconds: 1, disk: 'fails' },
  { seconds: 2, disk: 'works' },
];

it(
  'keeps the number of every segment and discontinuity while the window slides, although the disk fails or hangs',
  async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, fc.constantFrom(1, 3, 6), async (steps, segmentCount) => {
        await play(steps, segmentCount);
      }),
      { numRuns: RUNS, examples: [[SHORT_MISSING, 3]] },
    );
  },
  Math.max(300_000, RUNS * 3000),
);

it(
  'keeps the numbers across restarts of the server, for a viewer who stays',
  async () => {
    const again = fc.record({ isKilled: fc.boolean(), awayMs: fc.constantFrom(700, 4000, 30_000) });
    // The next server does not know data that a disk did not write in time, nor media of the last second.
    const recorded = played.map(({ seconds }) => ({ seconds: seconds + 3, disk: 'works' as const }));
    const steps = fc.array(fc.tuple(recorded, again, recorded), { minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(1, 3, 6), async (all, segmentCount) => {
        await play(all.flat(), segmentCount);
      }),
      { numRuns: Math.ceil(RUNS / 2) },
    );
  },
  Math.max(300_000, RUNS * 3000),
);
