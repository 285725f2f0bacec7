import { flushPromises } from '@vue/test-utils';
import { expect, it } from 'vitest';
import { mountArchivePart } from '../../../../tests/helpers/desk/archive-part.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import MarkList from './MarkList.vue';
import type { Mark } from '../../../domain/archive/marks.ts';

it('MarkList shows the newest 300 marks, hides kinds, and has no removal with read access', async () => {
  const desk = new TestDesk();
  desk.setServer({ may_write: false });
  const marks = Array.from({ length: 1000 }, (_, at): Mark => ({
    kind: 'note',
    id: `${at}`,
    name: 'cam1',
    from: at * 1000,
    to: null,
    text: `note ${at}`,
  }));
  const hidden: unknown[] = [];
  const props = { isOpen: true, marks, hidden: ['lock'], onHide: (kinds: unknown) => hidden.push(kinds) };
  const { page } = mountArchivePart(desk, MarkList, props, 0);
  await flushPromises();
  const rows = [...document.querySelectorAll('[role=dialog] li')];
  expect([rows.length, rows[0]?.textContent]).toEqual([300, expect.stringContaining('note 999')]);
  expect(document.querySelector('[data-test=remove-mark]')).toBeNull();
  document.querySelector<HTMLInputElement>('[data-test=kind-note]')?.click();
  document.querySelector<HTMLInputElement>('[data-test=kind-lock]')?.click();
  expect(hidden).toEqual([['lock', 'note'], []]);
  page.unmount();
});
