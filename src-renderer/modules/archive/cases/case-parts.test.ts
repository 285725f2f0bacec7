import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, expect, it, vi } from 'vitest';
import { ref, shallowRef, type Component } from 'vue';
import type { CaseItem, CaseObject } from '../../../../src-preload/contract/api/archive/case-object.ts';
import { mountArchivePart } from '../../../../tests/helpers/desk/archive-part.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { frameRateOf } from '../time-code.ts';
import CaseAddDialog from './CaseAddDialog.vue';
import CaseDetails from './CaseDetails.vue';
import CaseExport from './CaseExport.vue';
import CaseItems from './CaseItems.vue';
import CasesDialog from './CasesDialog.vue';
import type { ShownCases } from './use-cases.ts';

const AT = Date.UTC(2025, 0, 15, 12);
const CASE: CaseObject = { id: 'a', title: 'Goal', note: 'or not', item_count: 1, created_by: 'pat', created_at: AT };
const ITEM: CaseItem = {
  id: '1',
  kind: 'mark',
  name: 'cam1',
  from: AT,
  to: null,
  text: 'offside',
  added_by: 'pat',
  added_at: AT,
};
const shown = (failure = ''): ShownCases => ({
  cases: shallowRef(failure === '' ? [CASE] : undefined),
  failure: ref(failure),
  refresh: () => Promise.resolve(),
  create: () => Promise.resolve(undefined),
  rename: () => Promise.resolve(true),
  remove: () => Promise.resolve(true),
  add: () => Promise.resolve(false),
});

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.bridge.answers['archive.exports'] = { jobs: [] };
  desk.bridge.answers['clips.locations'] = { locations: [], target: null };
  desk.bridge.answers['cases.items'] = { items: [ITEM] };
});
async function mount(part: Component, props: object, mayWrite = true): Promise<VueWrapper> {
  desk.setServer({ may_write: mayWrite });
  const { page } = mountArchivePart(desk, part, props, AT);
  await flushPromises();
  return page;
}

it('CaseAddDialog has labels, and shows that cases cannot be read', async () => {
  const mark = { name: 'cam1', text: 'Black' };
  const props = { isOpen: true, shown: shown('no database'), rate: frameRateOf(25), atMs: AT, mark };
  const page = await mount(CaseAddDialog, props);
  const form = document.querySelector<HTMLFormElement>('[role=dialog] form')!;
  expect([...form.querySelectorAll('input')].map(({ value }) => value)).toEqual(['', 'Black']);
  expect(form.querySelector('[role=alert]')?.textContent).toContain('no database');
  page.unmount();
});

it('CasesDialog has no controls with read access', async () => {
  const page = await mount(CasesDialog, { isOpen: true, shown: shown() }, false);
  const dialog = document.querySelector('[role=dialog]')!;
  expect(dialog.textContent).toMatch(/Goal.*1 item.*by pat.*or not/s);
  expect(dialog.querySelector('form')).toBeNull();
  page.unmount();
});

it('CaseDetails shows that its items cannot be read, and loads them again', async () => {
  desk.bridge.errors['cases.items'] = { code: 'unavailable', message: 'no database' };
  const page = await mount(CaseDetails, { about: CASE, shown: shown() }, false);
  expect(page.get('[role=alert]').text()).toContain('no database');
  expect([page.text().includes('or not'), page.find('form').exists()]).toEqual([true, false]);
  delete desk.bridge.errors['cases.items'];
  await page.get('[role=alert] button').trigger('click');
  await flushPromises();
  expect(page.get('[data-test=item]').text()).toContain('offside');
  page.unmount();
});

it('CaseItems has labelled controls, with write access only', async () => {
  const viewer = await mount(CaseItems, { items: [ITEM] }, false);
  expect(viewer.findAll('button')).toHaveLength(1);
  viewer.unmount();
  const page = await mount(CaseItems, { items: [ITEM, { ...ITEM, id: '2', text: '' }] });
  expect(page.findAll('[data-test=up]').map((one) => one.attributes('disabled') !== undefined)).toEqual([true, false]);
  expect(page.get('[data-test=take-out]').attributes('aria-label')).toMatch(/^Remove Mark, cam1, /);
  page.unmount();
});

it("CaseItems shows the picture at each item's time, if there is one", async () => {
  const page = await mount(CaseItems, { items: [ITEM] });
  const picture = page.get('[data-test=item] img');
  expect(picture.attributes('src')).toContain(`/cam1/${(ITEM.from / 1000).toFixed(3)}.jpg`);
  await picture.trigger('error');
  expect(page.find('[data-test=item] img').exists()).toBe(false);
  page.unmount();
});

it('CaseItems moves items at once, and back if the server refuses', async () => {
  const items = ['1', '2', '3'].map((id) => ({ ...ITEM, id, text: id }));
  desk.bridge.answers['cases.items'] = { items };
  const page = await mount(CaseDetails, { about: CASE, shown: shown() });
  const held: (() => void)[] = [];
  const refused = { ok: false, error: { code: 'unavailable', message: 'no database' } } as const;
  const calls = vi.spyOn(desk.bridge, 'call');
  const hold = (): Promise<typeof refused> => new Promise((resolve) => held.push(() => resolve(refused)));
  for (const _ of ['one', 'other']) calls.mockImplementationOnce(hold);
  const itemTexts = (): string[] => page.findAll('[data-test=item] .text').map((one) => one.text());
  // Both clicks before the answer of the server.
  await page.findAll('[data-test=up]')[2]!.trigger('click');
  await page.findAll('[data-test=up]')[1]!.trigger('click');
  expect(itemTexts()).toEqual(['3', '1', '2']);
  for (const answer of held) answer();
  await flushPromises();
  expect(itemTexts()).toEqual(['1', '2', '3']);
  page.unmount();
});

it('CaseExport exports to a named folder, with write access only', async () => {
  const viewer = await mount(CaseExport, { about: CASE, isEmpty: false }, false);
  expect(viewer.find('form').exists()).toBe(false);
  viewer.unmount();
  desk.bridge.answers['clips.locations'] = { locations: ['clips'], target: null };
  const page = await mount(CaseExport, { about: CASE, isEmpty: false });
  await page.get('[data-test=case-place]').setValue('vod:clips');
  await page.get('input[type=text]').setValue(' ');
  await page.get('form').trigger('submit');
  expect(page.get('[role=alert]').text()).toBe('Enter a name for the folder');
  page.unmount();
});
