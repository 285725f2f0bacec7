import type { VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import TimeField from './TimeField.vue';

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
});

describe('TimeField', () => {
  const field = (modelValue: string): VueWrapper => desk.mount(TimeField, { props: { modelValue, hasTime: true } });

  it('shows the ISO form, and accepts a typed time', async () => {
    const time = field('2026-11-28T03:01:09');
    const typed = time.get<HTMLInputElement>('input[type=text]');
    expect(typed.element.value).toBe('2026-11-28 03:01:09');
    await typed.setValue('2026-11-29 4:05');
    expect(time.emitted('update:modelValue')).toEqual([['2026-11-29T04:05:00']]);
    await typed.setValue('');
    expect(time.emitted('update:modelValue')?.at(-1)).toEqual(['']);
  });

  it('explains the format if a typed time is invalid, and keeps the last time', async () => {
    const time = field('2026-11-28T03:01:09');
    const typed = time.get<HTMLInputElement>('input[type=text]');
    typed.element.value = '11/28/2026';
    await typed.trigger('input');
    expect(typed.attributes('aria-invalid')).toBe('true');
    expect(typed.attributes('title')).toBe('Write it as yyyy-mm-dd hh:mm');
    expect(time.emitted('update:modelValue')).toBeUndefined();
    await typed.trigger('change');
    expect(typed.element.value).toBe('2026-11-28 03:01:09');
  });

  it('accepts a time from the calendar of the browser', async () => {
    const time = field('');
    await time.get('input[type=datetime-local]').setValue('2026-11-28T03:01');
    expect(time.emitted('update:modelValue')).toEqual([['2026-11-28T03:01:00']]);
  });
});
