import { beforeEach, describe, expect, it } from 'vitest';
import type { PushStateObject } from '../../../../src-preload/contract/api/push-object.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import DestinationRow from './DestinationRow.vue';

const NOW = new Date(2026, 10, 30, 18, 0).getTime();
const PUSH: PushStateObject = {
  id: 'id-0',
  index: 0,
  url: 'rtmps://ingest.global-contribute.live-video.net/app/***',
  state: 'running',
  code: null,
  detail: null,
  since: 1,
  tries: 1,
  bytes: 5,
  bytes_acknowledged: 5,
  bitrate: 1,
  lag: 0,
  dropped: 0,
  tracks: [],
  start_at: null,
  stop_at: null,
};

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
});
function show(change: Partial<PushStateObject>, mayChange = true) {
  const props = { push: { ...PUSH, ...change }, nowMs: NOW, mayChange, isBusy: false };
  const row = desk.mount(DestinationRow, { props });
  const plan = row.find('[data-test=plan] span');
  return { row, plan: plan.exists() ? plan.text() : '', labels: row.findAll('button').map((button) => button.text()) };
}

describe('a destination', () => {
  it('shows its planned times to come, and cancels them with one click', async () => {
    const { row, plan, labels } = show({ state: 'planned', start_at: NOW + 3_300_000, stop_at: NOW + 9_000_000 });
    expect([plan, row.get('[data-test=state]').text()]).toEqual(['Starts 18:55, ends 20:30', 'Planned']);
    expect(labels).toEqual(['Cancel plan', 'Start', 'Plan', 'Log', 'Remove']);
    await row.get('[aria-label="Cancel the plan of Twitch"]').trigger('click');
    expect(row.emitted('cancelPlan')).toHaveLength(1);
  });

  it('shows the date of a planned time on another day, and no time that has passed', () => {
    expect(show({ start_at: NOW - 1, stop_at: NOW + 86_400_000 }).plan).toBe('Ends 2026-12-01 18:00');
    expect(show({ state: 'ended', stop_at: NOW - 1 }).plan).toBe('');
  });

  it('offers only its log to a login that may not edit', () => {
    expect(show({ state: 'planned', start_at: NOW + 1000 }, false).labels).toEqual(['Log']);
  });
});
