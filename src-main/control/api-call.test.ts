import { expect, it } from 'vitest';
import { targetOf } from './api-call.ts';

it.each([
  [{ name: 'cam1', input: 1 }, 'cam1'],
  [{ names: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'a, b, c, d, e'],
  [{ path: 'ads/spot.mp4' }, 'ads/spot.mp4'],
  [{ name: 7, names: [null] }, null],
  [{ password: 'secret' }, null],
  [{ portalId: 'p', change: { type: 'createSubscriber', name: 'Ana Berg' } }, 'createSubscriber'],
  ['cam1', null],
  [null, null],
])('names the objects of a call, for any input: %j', (input, target) => {
  expect(targetOf(input)).toBe(target);
});

it('keeps the names of a call short', () => {
  expect(targetOf({ name: 'x'.repeat(10_000) })).toHaveLength(200);
});
