import { expect, it } from 'vitest';
import type { AlarmObject } from '../../../../src-preload/contract/api/alarm-object.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useAlarmsStore } from '../../alarms/store.ts';
import TileAlarm from './TileAlarm.vue';

function alarm(id: string, more: Partial<AlarmObject> = {}): AlarmObject {
  return {
    ...{
      id,
      name: 'cam1',
      alarm: 'no_input',
      severity: 'critical',
      detail: 'No frame',
      fault: null,
      facts: {},
      raised_at: 1,
    },
    ...{ cleared_at: null, acknowledged_at: null, acknowledged_by: null, note: null, shelved_until: null },
    ...more,
  };
}

it('shows the worst alarm with its shape, and how many more there are', () => {
  const desk = new TestDesk();
  useAlarmsStore().set([
    alarm('a', { severity: 'major', alarm: 'bitrate' }),
    alarm('b'),
    alarm('c', { alarm: 'frame_rate', shelved_until: 2 }),
  ]);
  expect(desk.mount(TileAlarm, { props: { name: 'cam1' } }).text()).toBe('✕ No input +1');
  expect(desk.mount(TileAlarm, { props: { name: 'cam2' } }).text()).toBe('');
});
