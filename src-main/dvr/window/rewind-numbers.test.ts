import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ArchiveStage } from '../../../tests/helpers/archive-stage.ts';
import { windowFaults } from '../../../tests/helpers/check-window.ts';
import type { MadeInput } from '../../../tests/helpers/made-input.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { RewindWindow } from './rewind-window.ts';

/** Random streams in each run; raise it to search. */
const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 12);

const REQUEST = { kind: 'rewind', depthMs: 60_000 } as const;

/** What happens: media for so many seconds, with a disk that takes it, is slow or fails; or nothing for a while, or another run. */
type Step =
  { readonly seconds: number; readonly disk: 'takes' | 'hangs' | 'fails' } | { readonly idleMs: number } | 'restart';

const anySteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        seconds: fc.integer({ min: 1, max: 25 }),
        disk: fc.constantFrom('takes' as const, 'takes' as const, 'hangs' as const, 'fails' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ idleMs: fc.constantFrom(0, 3000, 40_000) }) },
    { weight: 1, arbitrary: fc.constant<Step>('restart') },
  ),
  { minLength: 3, maxLength: 8 },
);

/** A disk that does as it is said to. */
class FaultyDisk {
  state: 'takes' | 'hangs' | 'fails' = 'takes';
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

/** Holds what a player has seen of the playlists of a window against each reload. */
class Reloads {
  readonly faults: string[] = [];
  readonly #window: RewindWindow;
  readonly #seen = new Map<string, { readonly address: string; readonly isCut: boolean; readonly before: number }>();
  readonly #first = new Map<string, number>();

  constructor(window: RewindWindow) {
    this.#window = window;
  }

  reload(): void {
    this.faults.push(...windowFaults(this.#window, Infinity));
    for (const { track } of this.#window.tracks) {
      const segments = this.#window.segments(track.id);
      const [first] = segments;
      if (!first) continue;
      const known = this.#first.get(track.id) ?? first.msn;
      if (first.msn < known) this.faults.push(`${track.id} goes back from ${known} to ${first.msn}`);
      this.#first.set(track.id, first.msn);
      // As a player counts them: from what the playlist says of its first segment on.
      let before = first.discontinuitySequence;
      for (const { msn, address, isDiscontinuity, segment } of segments) {
        const name = `${track.id} ${msn}`;
        const seen = this.#seen.get(name);
        // What is not recorded may only lose its media.
        if (seen && seen.address !== address && !segment.isGap)
          this.faults.push(`${name} is ${address}, and was ${seen.address}`);
        if (seen && seen.isCut !== isDiscontinuity) this.faults.push(`${name} is a cut: ${isDiscontinuity}`);
        if (seen && seen.before !== before) this.faults.push(`${name} comes behind ${before} cuts, not ${seen.before}`);
        this.#seen.set(name, { address, isCut: isDiscontinuity, before });
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

it('keeps the number of every segment and discontinuity while it slides, whatever is not recorded', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, fc.constantFrom(1, 3, 6), fc.constant(0), async (steps, segmentCount, opensAt) => {
      const stage = new ArchiveStage({ segmentMs: 1000, segmentCount });
      const disk = new FaultyDisk(stage);
      const video = { fps: 25, gopFrames: 25, bFrames: 0 };
      const input: MadeInput = { video, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 25 };
      await stage.record();
      await stage.play({ ...input, seconds: 3 });
      let reloads: Reloads | undefined;
      for (const [index, step] of steps.entries()) {
        if (index === Math.min(opensAt, steps.length - 1)) reloads = new Reloads(await rewind(stage));
        if (step === 'restart') {
          stage.stream.restart();
          await stage.record();
        } else if ('idleMs' in step) await stage.idle(step.idleMs);
        else {
          disk.become(step.disk);
          const { clock } = stage.stream;
          const start = clock.now();
          const playTo = stage.stream.playing(input);
          for (let ms = 250; ms <= step.seconds * 1000; ms += 250) {
            playTo(ms);
            clock.advance(Math.max(0, start + ms - clock.now()));
            await settled();
            // One that no viewer asks for is given up.
            if (reloads) await stage.playback.open('c/03', REQUEST, 1000);
            reloads?.reload();
          }
        }
        reloads?.reload();
        expect(reloads?.faults ?? []).toEqual([]);
      }
      disk.become('takes');
      stage.playback.close();
      await stage.close();
    }),
    { numRuns: RUNS },
  );
}, 300_000);
