import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ref } from 'vue';
import { TestDesk } from '../../tests/helpers/desk/test-desk.ts';
import AppButton from './AppButton.vue';
import AppDialog from './AppDialog.vue';
import AppField from './AppField.vue';
import AppTheme from './AppTheme.vue';
import ChoiceGroup from './ChoiceGroup.vue';
import ConfirmHost from './ConfirmHost.vue';
import FormRow from './FormRow.vue';
import { useConfirmStore } from './confirm-store.ts';
import CopyLine from './CopyLine.vue';
import IconShape from './IconShape.vue';
import { useOverlayStore } from './overlay-store.ts';
import PageTabs from './PageTabs.vue';
import QrCode from './QrCode.vue';
import { useThemeChoice } from './theme-choice.ts';

let desk: TestDesk;

beforeEach(() => {
  desk = new TestDesk();
});
afterEach(() => {
  document.body.replaceChildren();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const dialogs = (): Element[] => [...document.querySelectorAll('[role=dialog]')];

it('PageTabs shows the current view, and opens another', async () => {
  const tabs = [
    { value: 'now', label: 'Now' },
    { value: 'history', label: 'History' },
  ] as const;
  const page = desk.mount(PageTabs, { props: { label: 'Alarms', tabs, modelValue: 'now' } });
  expect(page.get('[aria-current=page]').text()).toBe('Now');
  await page.get('[data-tab=history]').trigger('click');
  expect(page.emitted('update:modelValue')).toEqual([['history']]);
});

describe('AppDialog', () => {
  it('has an accessible name, and is modal', async () => {
    desk.mount(AppDialog, { props: { isOpen: true, title: 'Keys' }, slots: { default: 'Words' } });
    await flushPromises();
    const [dialog] = dialogs();
    expect(dialog?.getAttribute('aria-label')).toBe('Keys');
    expect(dialog?.getAttribute('aria-modal')).toBe('true');
    expect(dialog?.textContent).toContain('Words');
  });

  it('closes with a click outside, but not if a selection ends there', async () => {
    const onClose = vi.fn();
    desk.mount(AppDialog, { props: { isOpen: true, title: 'Keys', onClose } });
    await flushPromises();
    const [dialog] = dialogs();
    const beside = dialog?.parentElement;
    const point = (where: Element | null | undefined, type: string): void =>
      void where?.dispatchEvent(new Event(type, { bubbles: true }));
    point(dialog, 'pointerdown');
    point(beside, 'click');
    point(dialog, 'click');
    expect(onClose).not.toHaveBeenCalled();
    point(beside, 'pointerdown');
    point(beside, 'click');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('receives the keys of the page while it is open, and until its component is removed', async () => {
    const dialog = desk.mount(AppDialog, { props: { isOpen: false, title: 'Keys' } });
    const overlays = useOverlayStore();
    expect(overlays.isAnyOpen).toBe(false);
    await dialog.setProps({ isOpen: true });
    expect(overlays.isAnyOpen).toBe(true);
    await dialog.setProps({ isOpen: false });
    expect(overlays.isAnyOpen).toBe(false);
    await dialog.setProps({ isOpen: true });
    dialog.unmount();
    expect(overlays.isAnyOpen).toBe(false);
  });

  it('focuses the marked field, and restores the focus when it closes', async () => {
    const [page, other] = ['button', 'input'].map((name) => document.body.appendChild(document.createElement(name)));
    page?.focus();
    const slots = { default: '<input name="first" /><input name="meant" autofocus />' };
    const dialog = desk.mount(AppDialog, { props: { isOpen: true, title: 'Note' }, slots, isAttached: true });
    await flushPromises();
    expect(document.activeElement?.getAttribute('name')).toBe('meant');
    other?.focus();
    expect(document.activeElement?.getAttribute('name')).toBe('meant');
    await dialog.setProps({ isOpen: false });
    expect(document.activeElement).toBe(page);
    // The operator continues to type while the dialog fades.
    other?.focus();
    await vi.waitFor(() => expect(dialogs()).toEqual([]));
    await flushPromises();
    expect(document.activeElement).toBe(other);
    dialog.unmount();
    expect(document.activeElement).toBe(other);
  });

  it('releases the focus when it closes if nothing had the focus before', async () => {
    // Browsers do not focus the page itself.
    vi.spyOn(document.body, 'focus').mockReturnValue();
    const slots = { default: '<input name="first" />' };
    const dialog = desk.mount(AppDialog, { props: { isOpen: true, title: 'Note' }, slots, isAttached: true });
    await flushPromises();
    expect(document.activeElement?.getAttribute('name')).toBe('first');
    await dialog.setProps({ isOpen: false });
    expect(document.activeElement).toBe(document.body);
    dialog.unmount();
  });

  it('keeps the focus inside, and closes with Escape, the top dialog first', async () => {
    const onClose = vi.fn();
    const slots = { default: '<input name="one" /><button name="two">Put</button>' };
    const lower = desk.mount(AppDialog, { props: { isOpen: true, title: 'Cases', onClose }, slots, isAttached: true });
    await flushPromises();
    const focused = (): string | null | undefined => document.activeElement?.getAttribute('name');
    const key = (name: string, shiftKey = false): boolean =>
      document.activeElement!.dispatchEvent(
        new KeyboardEvent('keydown', { key: name, shiftKey, bubbles: true, cancelable: true }),
      );
    dialogs()[0]?.querySelector<HTMLElement>('[name=two]')?.focus();
    key('Tab');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Close');
    key('Tab', true);
    expect(focused()).toBe('two');
    const upper = desk.mount(AppDialog, { props: { isOpen: true, title: 'Remove?' }, isAttached: true });
    await flushPromises();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove?');
    key('Escape');
    expect([onClose.mock.calls.length, upper.emitted('close')?.length]).toEqual([0, 1]);
    upper.unmount();
    key('Escape');
    expect(onClose).toHaveBeenCalledTimes(1);
    lower.unmount();
  });

  it('is counted with other open dialogs', () => {
    const [first, second] = [ref(true), ref(true)];
    const overlays = useOverlayStore();
    desk.run(() => overlays.track(() => first.value));
    desk.run(() => overlays.track(() => second.value));
    first.value = false;
    expect(overlays.isAnyOpen).toBe(true);
    second.value = false;
    expect(overlays.isAnyOpen).toBe(false);
  });
});

describe('ConfirmHost', () => {
  const question = { title: 'Remove cam1?', body: 'It ends.', confirmLabel: 'Remove', isDestructive: true };
  const press = async (label: string): Promise<void> => {
    [...document.querySelectorAll('button')].find((one) => one.textContent?.trim() === label)?.click();
    await flushPromises();
  };

  it('shows the consequences, and is answered by its buttons', async () => {
    desk.mount(ConfirmHost);
    for (const [label, answer] of [
      ['Remove', true],
      ['Cancel', false],
    ] as const) {
      const confirmed = useConfirmStore().requestAnswer(question);
      await flushPromises();
      expect(dialogs()[0]?.textContent).toContain('It ends.');
      await press(label);
      expect(await confirmed).toBe(answer);
    }
  });

  it('answers an open question with no when another one opens', async () => {
    const first = useConfirmStore().requestAnswer(question);
    const second = useConfirmStore().requestAnswer({ ...question, title: 'Restart?' });
    useConfirmStore().settle(true);
    expect([await first, await second]).toEqual([false, true]);
  });
});

describe('CopyLine', () => {
  const show = (): VueWrapper =>
    desk.mount(CopyLine, { props: { text: 'rtmp://h/a', label: 'Address' }, isAttached: true });

  it('shows a QR code on request, unless the text is too long', async () => {
    const line = desk.mount(CopyLine, { props: { text: 'rtmp://h/a', label: 'Address', hasCode: true } });
    expect(line.find('svg').exists()).toBe(false);
    const button = line.get('[aria-label="QR code of Address"]');
    await button.trigger('click');
    expect(button.attributes('aria-expanded')).toBe('true');
    // Version 1 has 21 modules and a quiet zone of 4 on each side. The corners of its three finder patterns are dark;
    // the fourth corner has no finder.
    expect(line.get('svg').attributes('viewBox')).toBe('0 0 29 29');
    expect(line.get('path').attributes('d')).toMatch(/^M4 4h1v1h-1z.*M24 4h.*M4 24h/);
    for (const [text, isDrawn] of [
      ['x'.repeat(2_953), true],
      ['é'.repeat(2_953), false],
      ['', true],
    ] as const)
      expect(
        desk
          .mount(QrCode, { props: { text, label: 'x' } })
          .find('svg')
          .exists(),
      ).toBe(isDrawn);
  });

  it('confirms copying visibly and to screen readers, and can be copied again', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.resolve() } });
    const button = show().get('button');
    expect([button.text(), button.attributes('aria-label')]).toEqual(['Copy', 'Copy Address']);
    await button.trigger('click');
    await vi.advanceTimersByTimeAsync(0);
    expect([button.text(), button.attributes('aria-label')]).toEqual(['Copied', 'Copied']);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(button.text()).toBe('Copy');
  });

  it.each([
    [true, 'Copied'],
    [false, 'Copy it by hand'],
  ])('copies through a selection without a clipboard (LAN without HTTPS): %s', async (isAllowed, text) => {
    vi.stubGlobal('navigator', {});
    let copied = '';
    Object.assign(document, {
      execCommand: () => {
        copied = document.querySelector('textarea')?.value ?? '';
        return isAllowed;
      },
    });
    const line = show();
    await line.get('button').trigger('click');
    await flushPromises();
    expect([copied, line.get('button').text(), document.querySelector('textarea')]).toEqual(['rtmp://h/a', text, null]);
  });
});

describe('FormRow', () => {
  it.each([false, true])(
    'connects the control with label and hint, with the unit after it (switch: %s)',
    (isSwitch) => {
      const row = desk.mount(FormRow, {
        props: { label: 'Delay', hint: 'Before the clip', unit: 's', isSwitch },
        slots: {
          default: '<template #default="{ id, described }"><input :id="id" :aria-describedby="described" /></template>',
        },
      });
      const input = row.get('input');
      expect(row.get('label').attributes('for')).toBe(input.attributes('id'));
      expect(row.get(`#${input.attributes('aria-describedby')}`).text()).toBe('Before the clip');
      expect(row.find('.control').exists() && row.get('.control').text()).toBe(isSwitch ? false : 's');
    },
  );
});

describe('AppField', () => {
  const show = (props: object): VueWrapper =>
    desk.mount(AppField, { props: { label: 'Name', modelValue: '', ...props } });

  it('shows the error in place of the hint', async () => {
    const field = show({ hint: 'Part of the address', isOptional: true });
    expect(field.text()).toBe('Name – optionalPart of the address');
    await field.setProps({ error: 'Too long' });
    expect([field.get('[role=alert]').text(), field.text().includes('Part of')]).toEqual(['Too long', false]);
    expect(field.get('input').attributes('aria-invalid')).toBe('true');
  });

  it('has a label, hides a secret, and emits typed text', async () => {
    const field = show({ isSecret: true });
    const input = field.get('input[type=password]');
    expect(field.get('label').attributes('for')).toBe(input.attributes('id'));
    await input.setValue('x');
    expect(field.emitted('update:modelValue')).toEqual([['x']]);
    await field.get('button').trigger('click');
    expect([field.get('button').attributes('aria-pressed'), input.attributes('type')]).toEqual(['true', 'text']);
  });
});

it.each([
  [{}, 'button', undefined],
  [{ isSubmit: true, isDisabled: true }, 'submit', ''],
])('AppButton with %j has the type %s', (props, type, disabled) => {
  const button = desk.mount(AppButton, { props, slots: { default: 'Go' } }).get('button');
  expect([button.text(), button.attributes('type'), button.attributes('disabled')]).toEqual(['Go', type, disabled]);
});

it('AppButton ignores clicks while busy', async () => {
  let clicks = 0;
  const button = desk.mount(AppButton, { props: { isBusy: true, onClick: () => clicks++ } });
  await button.get('button').trigger('click');
  expect(clicks).toBe(0);
});

it('IconShape has a different shape for each state, hidden from screen readers', () => {
  const shapes = ['live', 'late', 'lost', 'refused', 'waiting', 'starting', 'unknown'].map((shape) =>
    desk.mount(IconShape, { props: { shape } }),
  );
  expect(new Set(shapes.map((shape) => shape.get('path').attributes('d'))).size).toBe(shapes.length);
  expect(shapes.every((shape) => shape.get('svg').attributes('aria-hidden') === 'true')).toBe(true);
});

it('AppTheme marks the page with the chosen theme and shows its content', async () => {
  const { choice } = desk.run(useThemeChoice).result;
  choice.value = 'dark';
  const content = desk.mount(AppTheme, { slots: { default: '<p>Wall</p>' } });
  expect([document.documentElement.dataset['theme'], content.get('p').text()]).toEqual(['dark', 'Wall']);
  choice.value = 'light';
  await flushPromises();
  expect(document.documentElement.dataset['theme']).toBe('light');
});

it('ChoiceGroup has exactly one selected option, and distinct labels', async () => {
  const choices = [
    { value: 'dark', label: 'Dark', hint: 'at night' },
    { value: 'light', label: 'Light' },
  ];
  const group = desk.mount(ChoiceGroup, { props: { modelValue: 'dark', label: 'Colours', choices } });
  const chosen = (): string[] => group.findAll('label.chosen').map((label) => label.text());
  expect([group.get('legend').text(), chosen()]).toEqual(['Colours', ['Darkat night']]);
  await group.get('input[value=light]').setValue(true);
  expect(group.emitted('update:modelValue')).toEqual([['light']]);
});
