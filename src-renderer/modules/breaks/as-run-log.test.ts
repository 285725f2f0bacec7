import { flushPromises } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import AsRunLog from './AsRunLog.vue';

const ROW = {
  id: 'a',
  sent_at: Date.UTC(2027, 0, 15, 12),
  stream: 'cam1',
  session_id: 's-1',
  path: 'ads/soda.mp4',
  break_id: 'splice-1',
  placement: 'midroll',
  midroll_insert_by: 'splicing',
  dts: 0,
  duration: 6.2,
  sent: 6.2,
  progress: 100,
  proto: 'hls',
  country: null,
  user_id: 'anna',
};
const CUT = { ...ROW, id: 'b', sent: 1.8, progress: 25, user_id: null };

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer({ may_operate: true });
  desk.setStreams(aStream({ name: 'cam1' }));
  desk.bridge.answers['ads.as_run'] = { rows: [ROW, CUT], count: 250 };
});

async function open(query: Record<string, string> = {}) {
  await desk.router.replace({ query });
  const log = desk.mount(AsRunLog, { props: {} });
  await flushPromises();
  return log;
}
const inputs = (): unknown[] => desk.bridge.calls.flatMap(([name, input]) => (name === 'ads.as_run' ? [input] : []));

describe('AsRunLog', () => {
  it('shows the sent part of each clip, and the sums', async () => {
    const log = await open();
    expect(log.findAll('tbody tr').map((row) => row.text())).toEqual([
      expect.stringMatching(/cam1ads\/soda\.mp46\.2 of 6\.2 ssplice pointanna$/),
      expect.stringMatching(/cam1ads\/soda\.mp41\.8 of 6\.2 ssplice points-1$/),
    ]);
    expect(log.get('.sums').text()).toBe('2 of 250 sent clips. In this list: 1 sent in full; 8 s of 12 s sent (65 %).');
    await log.get('.more').trigger('click');
    expect(inputs().at(-1)).toEqual({ limit: 100, before: { sent_at: CUT.sent_at, id: 'b' } });
  });

  it('keeps its filter in the address, and in the signed export', async () => {
    const log = await open({ view: 'as_run', stream: 'cam1' });
    expect(inputs()).toEqual([{ limit: 100, stream: 'cam1' }]);
    await log.get('[data-test=path]').setValue('ads/');
    await log.get('[data-test=from]').setValue('2027-01-15 10:00');
    await flushPromises();
    const from = new Date('2027-01-15T10:00:00').getTime();
    expect(inputs().at(-1)).toEqual({ limit: 100, stream: 'cam1', path: 'ads/', from });
    expect(desk.router.currentRoute.value.query).toEqual({
      view: 'as_run',
      stream: 'cam1',
      path: 'ads/',
      from: '2027-01-15T10:00:00',
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    await log.get('[data-test=csv]').trigger('click');
    expect(desk.bridge.calls.at(-1)).toEqual([
      'ads.download_as_run',
      { format: 'csv', stream: 'cam1', path: 'ads/', from },
    ]);
  });

  it('saves its files at addresses that need no login, and shows why one cannot be saved', async () => {
    const clicked: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push(this.href);
    });
    const log = await open();
    await log.get('[data-test=key]').trigger('click');
    desk.bridge.errors['ads.download_as_run'] = { code: 'key_lost', message: '' };
    await log.get('[data-test=jsonl]').trigger('click');
    await flushPromises();
    expect(clicked).toEqual(['http://desk.example/-/download/ticket']);
    expect(useToastStore().toasts.map(({ kind }) => kind)).toEqual(['error']);
  });

  it('shows why it cannot be loaded', async () => {
    desk.bridge.errors['ads.as_run'] = { code: 'unavailable', message: '' };
    expect((await open()).get('[role=alert]').text()).not.toBe('');
  });
});
