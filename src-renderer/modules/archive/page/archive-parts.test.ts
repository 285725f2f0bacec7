import { flushPromises } from '@vue/test-utils';
import { beforeEach, expect, it, vi } from 'vitest';
import { mountArchivePart } from '../../../../tests/helpers/desk/archive-part.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import ArchiveHead from './ArchiveHead.vue';
import ArchivePicture from './ArchivePicture.vue';
import ArchivePictures from './ArchivePictures.vue';
import DayCalendar from './DayCalendar.vue';
import NoteDialog from './NoteDialog.vue';
import SelectionTools from './SelectionTools.vue';
import { useArchiveStore } from '../store.ts';
import StreamChoice from './StreamChoice.vue';
import TransportBar from './TransportBar.vue';

const AT = Date.UTC(2025, 0, 15, 12);
let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
  useArchiveStore().setNames(['cam1']);
  useArchiveStore().setZone('utc');
});

it('ArchiveHead changes the time zone', async () => {
  const { page } = mountArchivePart(desk, ArchiveHead, {}, AT);
  await page.get('[data-test=zone]').trigger('click');
  expect(useArchiveStore().zone).toBe('local');
  page.unmount();
});

it('the archive shows the last picture for live and for later times while the stream is off air', async () => {
  useArchiveStore().setRecorded(new Map([['cam1', [{ from: AT, to: AT + 60_000 }]]]));
  const { page, context, shown } = mountArchivePart(desk, TransportBar, {}, AT);
  context.seek(AT + 3_600_000);
  expect(shown.at).toBe(AT + 59_900);
  context.seek(AT + 1000);
  await page.get('[data-test=live]').trigger('click');
  expect(shown.at).toBe(AT + 59_900);
  page.unmount();
});

it('the time field seeks to the first picture of a time code, or to the picture shown at a time', async () => {
  const { page, shown } = mountArchivePart(desk, TransportBar, {}, AT);
  const type = async (text: string): Promise<number> => {
    await page.get('[data-test=time]').setValue(text);
    await page.get('form').trigger('submit');
    return shown.at - AT;
  };
  expect([await type('12:00:01:05'), await type('12:00:01.200'), await type('2025-01-15T12:00:01.200Z')]).toEqual([
    1238.5, 1210, 1210,
  ]);
  page.unmount();
});

it('the time field is not overwritten by playback while typing, and does nothing if unchanged', async () => {
  const { page, shown } = mountArchivePart(desk, TransportBar, {}, AT);
  const field = page.get<HTMLInputElement>('[data-test=time]').element;
  const shows = async (code: string): Promise<void> => vi.waitFor(() => expect(field.value).toBe(code), 30_000);
  await shows('12:00:00:00');
  field.focus();
  shown.at = AT + 86_403_000;
  await vi.waitFor(() => expect(page.get('.day').text()).toBe('2025-01-16'), 30_000);
  // The whole field is still selected, so the first key replaces it.
  expect([field.value, field.selectionStart, field.selectionEnd]).toEqual(['12:00:00:00', 0, 11]);
  await page.get('form').trigger('submit');
  await shows('12:00:03:00');
  expect([shown.at, document.activeElement === field]).toEqual([AT + 86_403_000, false]);
  page.unmount();
});

it('ArchivePicture is muted until it is unmuted', async () => {
  useArchiveStore().setAudible(null);
  const { page } = mountArchivePart(desk, ArchivePicture, { name: 'cam1', isAlone: true }, AT);
  await page.get('button').trigger('click');
  expect([useArchiveStore().audible, page.get('video').element.muted]).toEqual(['cam1', false]);
  page.unmount();
});

it('ArchivePictures shows nine pictures in three columns', () => {
  useArchiveStore().setNames(Array.from({ length: 12 }, (_, at) => `cam${at}`));
  const { page } = mountArchivePart(desk, ArchivePictures, { requestedMs: () => undefined }, AT);
  expect([page.findAll('figure').length, page.get('.pictures').attributes('style')]).toEqual([
    9,
    expect.stringContaining('repeat(3'),
  ]);
  page.unmount();
});

it('DayCalendar opens at the month of the current time, and changes months', async () => {
  useArchiveStore().setRecorded(new Map([['cam1', [{ from: AT, to: AT + 1000 }]]]));
  const { page } = mountArchivePart(desk, DayCalendar, {}, AT);
  expect(page.findAll('.recorded').map((day) => day.text())).toEqual(['15']);
  await page.get('header button').trigger('click');
  expect([page.get('b').text(), page.findAll('.recorded').length]).toEqual([expect.stringContaining('2024'), 0]);
  page.unmount();
});

it('ArchivePicture shows a gap at the current time, and no picture of another time', async () => {
  const archive = useArchiveStore();
  archive.setRecorded(
    new Map([
      ['cam1', [{ from: AT - 60_000, to: AT + 60_000 }]],
      [
        'cam2',
        [
          { from: AT - 60_000, to: AT - 2000 },
          { from: AT + 7000, to: AT + 60_000 },
        ],
      ],
    ]),
  );
  const { page, shown } = mountArchivePart(desk, ArchivePicture, { name: 'cam2', isAlone: false }, AT);
  const shows = async (text: string): Promise<void> =>
    vi.waitFor(() => expect(page.find('.gap').exists() ? page.get('.gap').text() : '').toBe(text), 30_000);
  await shows('Not recorded 11:59:58–12:00:07');
  shown.at = AT + 8000;
  await shows('');
  shown.at = AT - 70_000;
  await shows('Not recorded before 11:59:00');
  shown.at = AT + 80_000;
  await shows('Not recorded after 12:01:00');
  page.unmount();
});

it('NoteDialog saves no empty note', async () => {
  const saved: string[] = [];
  const props = { isOpen: true, title: 'Note', label: 'Note', mayBeEmpty: false, maxLength: 5 };
  const { page } = mountArchivePart(desk, NoteDialog, { ...props, onSave: (text: string) => saved.push(text) }, AT);
  await flushPromises();
  const form = document.querySelector<HTMLFormElement>('[role=dialog] form');
  const input = form?.querySelector('input');
  form?.dispatchEvent(new Event('submit'));
  input!.value = ' goal by seven ';
  input!.dispatchEvent(new Event('input'));
  form?.dispatchEvent(new Event('submit'));
  expect(saved).toEqual(['goal ']);
  page.unmount();
});

it('SelectionTools clears in and out points', async () => {
  const { page } = mountArchivePart(desk, SelectionTools, { running: 3 }, AT);
  const buttons = (): string[] => page.findAll('button').map((one) => one.text());
  const before = buttons();
  expect(page.get('[data-test=export]').attributes('disabled')).toBeDefined();
  await page.get('[data-test=in]').trigger('click');
  expect(buttons()).toEqual(before);
  expect(page.get('[data-test=span]').text()).toBe('12:00:00:00 – …');
  await page.get('[data-test=clear]').trigger('click');
  expect([useArchiveStore().inMs, page.get('[data-test=exports]').text()]).toEqual([null, 'Exports (3)']);
  page.unmount();
});

it('StreamChoice offers other streams up to the maximum', async () => {
  useArchiveStore().setArchived(['cam1', 'cam2'].map((name) => ({ name, from: 0, to: 1, bytes: 1 })));
  const { page } = mountArchivePart(desk, StreamChoice, {}, AT);
  await page.get('select').setValue('cam2');
  expect([useArchiveStore().names, page.find('select').exists()]).toEqual([['cam1', 'cam2'], false]);
  page.unmount();
});

it('TransportBar sets the speed before playback, and steps single frames', async () => {
  const { page, context, shown } = mountArchivePart(desk, TransportBar, {}, AT);
  await page.get('[data-test=speed]').setValue('0.5');
  expect([context.group.speed, context.group.forwardSpeed]).toEqual([0, 0.5]);
  await page.get('[data-test=play]').trigger('click');
  expect(context.group.speed).toBe(0.5);
  await page.findAll('.buttons button')[3]?.trigger('click');
  expect([shown.at, context.group.speed]).toEqual([AT + 40, 0]);
  page.unmount();
});
