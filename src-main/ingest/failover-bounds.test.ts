import { expect, it } from 'vitest';
import { spliceInsert } from '../../tests/helpers/splice-sections.ts';
import { FailoverStage } from '../../tests/helpers/failover-stage.ts';
import { madeVideo } from '../../tests/helpers/made-input.ts';

function running(): FailoverStage {
  const stage = new FailoverStage([{ kind: 'pull' }, { kind: 'pull' }]);
  for (const fedInput of stage.fedInputs) fedInput.isOnline = true;
  stage.failover.start();
  stage.run(5000);
  expect(stage.onAir).toBe(0);
  return stage;
}

it('an input whose tracks change constantly is ended, and the next input takes over', () => {
  const stage = running();
  const { sink } = stage.fedInput(0);
  for (let change = 0; change < 1000; change++) sink?.tracks([madeVideo('v1', change % 2)]);
  expect(stage.problems.filter((problem) => problem.startsWith('input_too_many_changes'))).toHaveLength(1);
  expect(stage.calls.filter(({ what }) => what === 'tracks').length).toBeLessThan(40);
  stage.run(4000);
  expect(stage.onAir).toBe(1);
});

it('an occasional change of tracks is accepted', () => {
  const stage = running();
  for (let change = 0; change < 100; change++) {
    stage.fedInput(0).sink?.tracks([madeVideo('v1', change % 2)]);
    stage.run(1000);
  }
  expect(stage.problems).toEqual([]);
});

it('splice messages of an input not yet on air are delivered after its first frame', () => {
  const stage = new FailoverStage([{ kind: 'pull' }, { kind: 'pull' }]);
  stage.failover.start();
  stage.fedInput(0).isOnline = true;
  const { sink } = stage.fedInput(0);
  const section = spliceInsert({ ptsTicks: 900_000 });
  for (let at = 0; at < 40; at++) sink?.splice({ sourceId: 500, section, atTicks: 0 });
  expect(stage.calls.filter(({ what }) => what === 'splice')).toHaveLength(0);
  stage.run(2000);
  const calls = stage.calls.map(({ what }) => what);
  expect(calls.filter((what) => what === 'splice')).toHaveLength(16);
  expect(calls.indexOf('splice')).toBe(calls.indexOf('frame') + 1);
});

it('splice messages are dropped if an input sends too many', () => {
  const stage = running();
  const { sink } = stage.fedInput(0);
  for (let at = 0; at < 1000; at++) sink?.splice({ sourceId: 500, section: new Uint8Array(20), atTicks: at });
  const spliceCount = stage.calls.filter(({ what }) => what === 'splice').length;
  expect(spliceCount).toBeGreaterThan(0);
  expect(spliceCount).toBeLessThan(100);
  expect(stage.problems.at(-1)).toContain('input_too_many_splices');
  expect(stage.onAir).toBe(0);
});
