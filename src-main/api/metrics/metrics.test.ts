import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../tests/helpers/any-character.ts';
import { readPrometheus } from '../../../tests/helpers/prometheus-text.ts';
import { metricJson, metricLines, type MetricFamily } from './metrics.ts';

const label = fc.string({ unit: anyCharacter, maxLength: 12 });
const anyFamilies = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9_]{0,10}$/), { maxLength: 4 }).chain((names) =>
  fc.tuple(
    ...names.map((name) =>
      fc.record({
        name: fc.constant(name),
        type: fc.constantFrom('gauge' as const, 'counter' as const),
        help: fc.string({ unit: anyCharacter, maxLength: 20 }),
        samples: fc.uniqueArray(
          fc.record({ labels: fc.record({ name: label, code: label }), value: fc.oneof(fc.double(), fc.integer()) }),
          { selector: ({ labels }) => JSON.stringify(labels), maxLength: 4 },
        ),
      }),
    ),
  ),
);

describe('metrics', () => {
  it('are parsed unchanged, for any stream names', () => {
    fc.assert(
      fc.property(anyFamilies, (families: readonly MetricFamily[]) => {
        const read = readPrometheus([...metricLines(families)].join(''));
        expect([...read].map(([name, { type, samples }]) => ({ name, type, samples }))).toEqual(
          families.map(({ name, type, samples }) => ({
            name,
            type,
            samples: [...samples].map(({ labels, value }) => ({ labels, value: value + 0 })),
          })),
        );
      }),
    );
  });

  it('have the same values in JSON', () => {
    const families: MetricFamily[] = [
      {
        name: 'a',
        help: 'An "a"',
        type: 'gauge',
        samples: [
          { labels: { name: 'x"\\\n' }, value: 1.5 },
          { labels: {}, value: 2 },
        ],
      },
      { name: 'b_total', help: '', type: 'counter', samples: [] },
    ];
    expect(JSON.parse([...metricJson(families)].join(''))).toEqual({
      metrics: families.map(({ samples, ...rest }) => ({ ...rest, values: samples })),
    });
  });
});
