import { flushPromises } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { errorTitle } from '../../lib/error-advice.ts';
import AddressCheck from './AddressCheck.vue';
import ProbeResult from './ProbeResult.vue';

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
});

const found = {
  protocol: 'udp',
  media_info: {
    streams: [],
    tracks: [{ content: 'audio', codec: 'mp2', track_id: 'a1', channels: 2, sample_rate: 48_000, bitrate: 192 }],
  },
  left_out: [{ content: 'video', codec: 'MPEG-2 video' }],
  problems: [],
  picture: null,
};

describe('AddressCheck', () => {
  it('shows tracks and dropped content', async () => {
    desk.bridge.answers['streams.probe_address'] = found;
    const check = desk.mount(AddressCheck, { props: { url: 'udp://239.0.0.1:1234', options: { program: '2' } } });
    await check.get('[data-test=check-address]').trigger('click');
    await flushPromises();
    const [, input] = desk.bridge.calls.find(([name]) => name === 'streams.probe_address') ?? [];
    expect(input).toMatchObject({ input_url: 'udp://239.0.0.1:1234', options: { program: '2' } });
    expect(check.text()).toMatch(/MP2 · 48 kHz · 2 ch · 192 kbit\/s/i);
    expect(check.get('[data-test=not-carried]').text()).toContain('MPEG-2 video, which cannot be carried. Send H.264');
    await check.setProps({ url: 'udp://239.0.0.1:1235' });
    expect(check.find('[data-test=probe]').exists()).toBe(false);
  });

  it('shows the reason if an address cannot be read, and the remedy', async () => {
    desk.bridge.errors['streams.probe_address'] = { code: 'input_refused', message: 'status 401' } as never;
    const check = desk.mount(AddressCheck, { props: { url: 'rtsp://camera/1' } });
    await check.get('[data-test=check-address]').trigger('click');
    await flushPromises();
    expect(check.get('[data-test=probe-failure]').text()).toMatch(/refused.*status 401.*Check the user/);
  });

  it('is cancelled by its button and by unmounting', async () => {
    const call = vi.spyOn(desk.bridge, 'call').mockReturnValue(new Promise(() => undefined));
    const cancelled = (): number => call.mock.calls.filter(([name]) => name === 'streams.cancel_probe').length;
    const check = desk.mount(AddressCheck, { props: { url: 'rtsp://camera/1' } });
    const button = check.get('[data-test=check-address]');
    await button.trigger('click');
    expect([button.text(), cancelled()]).toEqual(['Cancel', 0]);
    await button.trigger('click');
    expect([button.text(), cancelled()]).toEqual(['Check address', 1]);
    await button.trigger('click');
    check.unmount();
    expect(cancelled()).toBe(2);
  });
});

it('ProbeResult shows the picture of an input, and its faults', () => {
  const result = {
    ...found,
    left_out: [],
    problems: [{ code: 'codec_unknown' }, { code: 'hls_gap' }],
    picture: 'AAAA',
  };
  const shown = desk.mount(ProbeResult, { props: { isRunning: false, result: result as never, failure: '' } });
  expect(shown.get('img').attributes('src')).toBe('data:image/jpeg;base64,AAAA');
  expect(shown.findAll('.bad').map((line) => line.text())).toEqual([errorTitle('hls_gap')]);
});
