import { DOMWrapper, flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PushTransmissionObject } from '../../../../src-preload/contract/api/push-object.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import DestinationLog from './DestinationLog.vue';

const START = new Date(2026, 10, 30, 18, 55).getTime();
const MINUTE = 60_000;

function aTransmission(change: Partial<PushTransmissionObject> = {}): PushTransmissionObject {
  return {
    url: 'rtmp://h/app/***',
    started_at: START,
    ended_at: START + 90 * MINUTE,
    has_sent: true,
    bytes: 2_700_000_000,
    tries: 1,
    code: 'push_plan_ended',
    detail: 'The planned end has come',
    ...change,
  };
}

let desk: TestDesk;
const body = new DOMWrapper(document.body);
beforeEach(() => {
  desk = new TestDesk();
});
async function open(): Promise<VueWrapper> {
  const nowMs = START + 100 * MINUTE;
  const log = desk.mount(DestinationLog, {
    props: { isOpen: true, stream: 'cam1', push: 'id1', name: 'h/app/***', nowMs },
  });
  await flushPromises();
  return log;
}
const rows = (): string[][] =>
  body.findAll('[data-test=transmission]').map((row) => row.findAll('td').map((cell) => cell.text()));

describe('the log of a destination', () => {
  it('lists the transmissions to this address with duration, bytes, attempts and end', async () => {
    desk.bridge.answers['streams.transmissions'] = {
      transmissions: [
        aTransmission({ started_at: START + 95 * MINUTE, ended_at: null, code: null, detail: null, bytes: 4_000_000 }),
        aTransmission(),
        aTransmission({
          started_at: START - MINUTE,
          ended_at: START + 1440 * MINUTE,
          code: 'push_lost',
          tries: 3,
          detail: '',
        }),
        aTransmission({
          started_at: START - 2 * MINUTE,
          has_sent: false,
          bytes: 0,
          tries: 7,
          code: 'push_refused',
          detail: '',
        }),
        aTransmission({ started_at: START - 3 * MINUTE, ended_at: null, code: 'push_interrupted', detail: null }),
      ],
    };
    const log = await open();
    expect(desk.bridge.calls).toEqual([['streams.transmissions', { name: 'cam1', push: 'id1' }]]);
    expect(rows()).toEqual([
      ['2026-11-30 20:30:00 – now', '5:00', '–', '1', 'Running'],
      ['2026-11-30 18:55:00 – 20:25:00', '1:30:00', '2.7 GB', '1', 'Planned end'],
      ['2026-11-30 18:54:00 – 2026-12-01 18:55:00', '1 d 0:01:00', '2.7 GB', '3', 'The target closed the connection'],
      ['2026-11-30 18:53:00 – 20:25:00', '–', '–', '7', 'Nothing was sent. The target refused the stream'],
      ['2026-11-30 18:52:00 – unknown', '–', '–', '1', 'The server was stopped while the push ran'],
    ]);
    expect(body.findAll('td.bad').map((cell) => cell.text().slice(0, 12))).toEqual([
      'The target c',
      'Nothing was ',
      'The server w',
    ]);
    log.unmount();
  });

  it('says that nothing was sent yet', async () => {
    const log = await open();
    expect(body.get('[role=status]').text()).toContain('Nothing was sent to this destination yet');
    log.unmount();
  });

  it('shows a failure, and tries again on request', async () => {
    desk.bridge.errors['streams.transmissions'] = {
      code: 'stream_not_found',
      message: 'There is no stream cam1',
      details: {},
    };
    const log = await open();
    expect(body.get('[role=alert]').text()).toContain('There is no stream cam1');
    delete desk.bridge.errors['streams.transmissions'];
    await body.get('[role=alert] button').trigger('click');
    await flushPromises();
    expect(body.find('[role=alert]').exists()).toBe(false);
    log.unmount();
  });
});
