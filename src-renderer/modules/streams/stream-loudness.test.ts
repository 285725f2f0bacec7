import { flushPromises } from '@vue/test-utils';
import { beforeEach, expect, it, vi } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import StreamLoudness from './StreamLoudness.vue';

const DAY = Date.UTC(2027, 0, 15);
let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
});

it('StreamLoudness shows the values of each day, with a report', async () => {
  const figures = { integrated: -23.04, range: 5, max_momentary: null, max_short_term: null, true_peak: -1.5 };
  const row = { id: 'd', name: 'news/a', span: 'day' as const, from_at: DAY, measured_ms: 1000, ...figures };
  desk.bridge.answers['alarms.loudness'] = { days: [row] };
  const loudness = desk.mount(StreamLoudness, { props: { name: 'news/a' } });
  await flushPromises();
  expect(loudness.findAll('tbody td').map((cell) => cell.text())).toEqual([
    '2027-01-15',
    '-23.0',
    '5.0',
    '–',
    '-1.5',
    'Report',
  ]);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  await loudness.get('button').trigger('click');
  expect(desk.bridge.calls.at(-1)).toEqual(['alarms.download_loudness', { name: 'news/a', day: '2027-01-15' }]);
});

it('StreamLoudness is hidden if nothing was measured or stored', async () => {
  desk.bridge.answers['alarms.loudness'] = { days: [] };
  const loudness = desk.mount(StreamLoudness, { props: { name: 'cam1' } });
  await flushPromises();
  expect(loudness.text()).toBe('');
  desk.bridge.errors['alarms.loudness'] = { code: 'unavailable', message: '' };
  await loudness.setProps({ name: 'cam2' });
  await flushPromises();
  expect(loudness.text()).toBe('');
});
