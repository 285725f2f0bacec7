import { expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { resumeExports } from './export-start.ts';

it.each([
  ['five seconds after the start', ['cam'], 0, 5000],
  ['when the end of each archive is known', ['cam', 'yard'], 12_000, 12_000],
  ['after a minute if the end of one archive stays unknown', ['cam', 'none'], 0, 60_000],
])('exports are resumed %s', (_, streams, knownMs, expectedMs) => {
  const clock = new FakeClock();
  const startMs = clock.now();
  let startedMs: number | undefined;
  resumeExports({
    clock,
    streams: () => streams,
    isChecked: (stream) => stream !== 'none' && clock.now() - startMs >= knownMs,
    start: () => {
      expect(startedMs).toBeUndefined();
      startedMs = clock.now() - startMs;
    },
  });
  for (let second = 0; second < 70; second++) clock.advance(1000);
  expect(startedMs).toBe(expectedMs);
});

it('exports are not resumed if the server stops first', () => {
  const clock = new FakeClock();
  const cancel = resumeExports({ clock, streams: () => ['cam'], isChecked: () => false, start: () => expect.fail() });
  clock.advance(6000);
  cancel();
  clock.advance(70_000);
});
