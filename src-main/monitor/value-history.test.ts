import { expect, it } from 'vitest';
import { ValueHistory } from './value-history.ts';

it('ValueHistory keeps the last three minutes of measured values, and drops conditions that are no longer measured', () => {
  const history = new ValueHistory();
  for (let second = 0; second < 500; second++) {
    history.add('cam', 'bitrate', second === 499 ? null : second, second * 1000);
    if (second < 10) history.add('gone', 'bitrate', 1, second * 1000);
    history.endRound();
  }
  const graph = history.graph('cam', 'bitrate');
  expect([graph?.values.length, graph?.fromMs, graph?.values[0], graph?.values.at(-1)]).toEqual([
    180,
    320_000,
    320,
    null,
  ]);
  expect([history.graph('gone', 'bitrate'), history.graph('cam', 'latency')]).toEqual([undefined, undefined]);
});
