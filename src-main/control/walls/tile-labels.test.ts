import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TopicPayload } from '../../../src-preload/contract/topics.ts';
import { TileLabels } from './tile-labels.ts';

type Message = TopicPayload<'wall'>;

function listen(labels: TileLabels, caller: { prefixes?: readonly string[] } = {}): Message[] {
  const messages: Message[] = [];
  labels.subscribe((message) => messages.push(message), caller);
  return messages;
}

describe('TileLabels', () => {
  it('are sent at once, in one message per turn, and completely to a new desk', async () => {
    const labels = new TileLabels();
    const messages = listen(labels);
    labels.set('cam1', { umd: ['CAM 1', 'Gate'] });
    labels.set('cam1', { tally: 'red' });
    labels.set('cam2', { tally: 'green' });
    await new Promise(setImmediate);
    const both = [
      { name: 'cam1', umd: ['CAM 1', 'Gate'], tally: 'red' },
      { name: 'cam2', umd: [], tally: 'green' },
    ];
    expect(messages).toEqual([
      { is_snapshot: true, labels: [] },
      { is_snapshot: false, labels: both },
    ]);
    expect(listen(labels)).toEqual([{ is_snapshot: true, labels: both }]);
  });

  it('are removed when empty', async () => {
    const labels = new TileLabels();
    labels.set('cam1', { umd: ['CAM 1'], tally: 'both' });
    const messages = listen(labels);
    expect(labels.set('cam1', { umd: [], tally: 'off' })).toEqual({ umd: [], tally: 'off' });
    await new Promise(setImmediate);
    expect(messages.at(-1)?.labels).toEqual([{ name: 'cam1', umd: [], tally: 'off' }]);
    expect(listen(labels)[0]?.labels).toEqual([]);
  });

  it('are filtered for a token with a prefix, and any token may recall a wall', async () => {
    const labels = new TileLabels();
    const messages = listen(labels, { prefixes: ['news'] });
    labels.set('sport/a', { tally: 'red' });
    await new Promise(setImmediate);
    labels.set('news/a', { tally: 'red' });
    await new Promise(setImmediate);
    labels.recall('Gallery', 'left');
    expect(messages.slice(1)).toEqual([
      { is_snapshot: false, labels: [{ name: 'news/a', umd: [], tally: 'red' }] },
      { is_snapshot: false, labels: [], recalled: { wall: 'Gallery', window: 'left' } },
    ]);
  });

  it('are limited to 10 000, and listeners get the latest labels', async () => {
    const labels = new TileLabels();
    for (let count = 0; count < 10_000; count++) labels.set(`s${count}`, { tally: 'red' });
    expect(() => labels.set('more', { tally: 'red' })).toThrow('Remove some first');
    labels.set('s1', { tally: 'off' });
    expect(labels.set('more', { tally: 'red' }).tally).toBe('red');

    const change = fc.record(
      {
        umd: fc.array(fc.constantFrom('', 'A'), { maxLength: 2 }),
        tally: fc.constantFrom('off' as const, 'red' as const),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom('a', 'b'), change, fc.boolean())), async (steps) => {
        const some = new TileLabels();
        const labelsByName = new Map<string, unknown>();
        some.subscribe(
          ({ labels: changed }) => changed.forEach(({ name, ...label }) => labelsByName.set(name, label)),
          {},
        );
        for (const [name, one, waits] of steps) {
          some.set(name, one);
          if (waits) await new Promise(setImmediate);
        }
        await new Promise(setImmediate);
        for (const [name, label] of labelsByName) expect(label).toEqual(some.get(name));
      }),
      { numRuns: 50 },
    );
  });
});
