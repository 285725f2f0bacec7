import { flushPromises } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { DOMWrapper } from '@vue/test-utils';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { planProblems, timeZoneText } from './plan.ts';
import PlanDialog from './PlanDialog.vue';
import { TEXTS } from './texts.ts';

const NOW = new Date(2026, 10, 30, 18, 0).getTime();
const HOUR = 3_600_000;

describe('a plan', () => {
  it.each([
    ['a start to come', NOW + HOUR, null, false, undefined, undefined],
    ['a start and a later end', NOW + HOUR, NOW + 2 * HOUR, false, undefined, undefined],
    ['an end while it runs', null, NOW + HOUR, true, undefined, undefined],
    ['a start in the past', NOW - 1, null, true, TEXTS.planPast, undefined],
    ['a start now', NOW, null, true, TEXTS.planPast, undefined],
    ['an end in the past', null, NOW - HOUR, true, undefined, TEXTS.planPast],
    ['an end before the start', NOW + HOUR, NOW + HOUR, false, undefined, TEXTS.planOrder],
    ['an end without a start while it is stopped', null, NOW + HOUR, false, TEXTS.planNoStart, undefined],
    ['nothing while it is stopped', null, null, false, TEXTS.planNoStart, undefined],
    ['nothing while it runs', null, null, true, TEXTS.planNothing, undefined],
  ])('is checked: %s', (_, startAtMs, stopAtMs, isOn, start, stop) => {
    expect(planProblems({ startAtMs, stopAtMs }, isOn, NOW)).toEqual({ start, stop });
  });

  it('names its time zone with the distance from UTC', () => {
    expect(timeZoneText(NOW)).toMatch(/^\S+( \((GMT|UTC)[+-−]?[\d:]*\))?$/);
  });
});

describe('the form of a plan', () => {
  let desk: TestDesk;
  beforeEach(() => {
    desk = new TestDesk();
  });
  function open(plan: { startAtMs: number | null; stopAtMs: number | null }, isOn = false) {
    const form = desk.mount(PlanDialog, {
      props: { isOpen: true, name: 'Twitch', plan, isOn, nowMs: NOW, isBusy: false },
    });
    const page = new DOMWrapper(document.body);
    const [start, stop] = page.findAll('#plan-destination input.typed');
    return { form, page, start, stop };
  }

  it('shows the stored times that are to come, and saves local times', async () => {
    const { form, page, start, stop } = open({ startAtMs: NOW + HOUR, stopAtMs: NOW - HOUR });
    expect([start, stop].map((field) => (field?.element as HTMLInputElement).value)).toEqual([
      '2026-11-30 19:00:00',
      '',
    ]);
    await stop?.setValue('2026-11-30 20:30');
    await page.get('[data-test=save-plan]').trigger('click');
    const [plan] = form.emitted('save')?.[0] ?? [];
    expect(plan).toEqual({ startAtMs: NOW + HOUR, stopAtMs: NOW + 2.5 * HOUR });
    form.unmount();
  });

  it('shows mistakes beside their fields, and saves nothing', async () => {
    const { form, page, stop } = open({ startAtMs: null, stopAtMs: null });
    expect(page.findAll('[role=alert]')).toEqual([]);
    await stop?.setValue('2026-11-30 17:00');
    await page.get('#plan-destination').trigger('submit');
    await flushPromises();
    expect(page.findAll('[role=alert]').map((one) => one.text())).toEqual([TEXTS.planNoStart, TEXTS.planPast]);
    expect(form.emitted('save')).toBeUndefined();
    form.unmount();
  });
});
