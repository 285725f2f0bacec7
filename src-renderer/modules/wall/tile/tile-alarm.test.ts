import { expect, it } from 'vitest';
import { anAlarm as alarm } from '../../../../tests/helpers/desk/an-alarm.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useAlarmsStore } from '../../../domain/alarms/store.ts';
import TileAlarm from './TileAlarm.vue';

it('TileAlarm shows the most severe alarm with its shape, and the number of others', () => {
  const desk = new TestDesk();
  useAlarmsStore().set([
    alarm('a', { severity: 'major', alarm: 'bitrate' }),
    alarm('b'),
    alarm('c', { alarm: 'frame_rate', shelved_until: 2 }),
  ]);
  expect(desk.mount(TileAlarm, { props: { name: 'cam1' } }).text()).toBe('✕ No input +1');
  expect(desk.mount(TileAlarm, { props: { name: 'cam2' } }).text()).toBe('');
});
