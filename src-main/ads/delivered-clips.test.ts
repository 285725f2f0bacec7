import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipOf, LiveStream } from '../../tests/helpers/ad-windows.ts';
import { StreamOutput } from '../delivery/stream-output.ts';
import { USUAL_RULES } from './decision/ad-decision.ts';
import { viewerOutput } from './viewer-output.ts';
import { InPlacePlan } from './placement/in-place/in-place-plan.ts';
import { DeliveredSegments } from './proof/showing.ts';

it('DeliveredSegments counts each segment once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100)), (indexes) => {
      const delivered = new DeliveredSegments();
      const added = new Set<number>();
      for (const index of indexes) {
        expect(delivered.add(index)).toBe(!added.has(index));
        added.add(index);
      }
      for (let index = 0; index <= 101; index++) expect(delivered.has(index)).toBe(added.has(index));
      expect(delivered.count).toBe(added.size);
    }),
  );
});

describe.each(['separate', 'in_place'] as const)('%s clips', (form) => {
  it('count as delivered when their segments are sent, and segments of the stream do not', () => {
    fc.assert(
      fc.property(
        fc.record({ first: fc.integer({ min: 1, max: 9 }), second: fc.integer({ min: 1, max: 9 }) }),
        fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
        ({ first, second }, loads) => {
          const stream = new LiveStream({ segmentMs: 2000, listed: 6 });
          stream.growTo(6);
          const clips = new Map([clipOf('a', first), clipOf('b', second)].map((clip) => [clip.path, clip]));
          const sent: string[] = [];
          const output = viewerOutput({
            live: new StreamOutput('cam', stream.window),
            decision: {
              form,
              prerolls: [],
              midrolls: ['a', 'b'],
              insertBy: 'interval',
              intervalMs: 8000,
              rules: USUAL_RULES,
            },
            clips: (path) => clips.get(path) ?? { path, reason: 'clip_not_found', detail: '' },
            delivered: ({ showing, index }) => sent.push(`${showing.startMs} ${showing.clip.path} ${index}`),
          });
          const seen = new Set<number>();
          const expected: string[] = [];
          for (const isLoaded of loads) {
            stream.grow();
            for (const { address, msn } of output.window.segments('v1')) {
              if (seen.has(msn)) continue;
              seen.add(msn);
              const before = sent.length;
              if (isLoaded) output.delivered('v1', address);
              // A repeated request does not count again.
              if (isLoaded && form === 'in_place') output.delivered('v1', address);
              if (form === 'separate' && isLoaded) expected.push(/^[ab]/.exec(address)?.[0] ?? '');
              expect(sent.length - before).toBeLessThanOrEqual(form === 'separate' ? 1 : 2);
              // An in-place segment holds two seconds of clips, possibly of several clips.
              if (form === 'in_place' && isLoaded && output.plan instanceof InPlacePlan) {
                const state = output.plan.stateOf(msn);
                expect(sent.length - before).toBe(state && state !== 'resumed' ? 2 : 0);
              }
            }
          }
          expect(new Set(sent).size).toBe(sent.length);
          if (form === 'separate') expect(sent).toHaveLength(expected.filter((name) => name !== '').length);
          const shown = output.plan.showings.map(({ delivered }) => delivered.count);
          for (const [index, { count }] of output.plan.showings.entries())
            expect(shown[index]).toBeLessThanOrEqual(count);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('count audio segments only for viewers who load no video', () => {
    const stream = new LiveStream({ segmentMs: 2000, listed: 6 });
    stream.growTo(6);
    const sent: number[] = [];
    const output = viewerOutput({
      live: new StreamOutput('cam', stream.window),
      decision: {
        form,
        prerolls: ['a'],
        midrolls: [],
        insertBy: 'interval',
        intervalMs: undefined,
        rules: USUAL_RULES,
      },
      clips: () => clipOf('a', 4),
      delivered: ({ index }) => sent.push(index),
    });
    const [first] = output.window.segments('v1');
    output.delivered('v1', first?.address ?? '');
    output.delivered('a1', output.window.segments('v1')[1]?.address ?? '');
    expect(sent).toEqual(form === 'separate' ? [0] : [0, 1]);
  });
});
