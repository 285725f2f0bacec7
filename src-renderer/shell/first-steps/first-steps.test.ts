import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nextTick, reactive } from 'vue';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useShellDialogs } from '../shell-dialogs.ts';
import FirstSteps from './FirstSteps.vue';
import FirstStepsAccess from './FirstStepsAccess.vue';
import FirstStepsArchive from './FirstStepsArchive.vue';
import FirstStepsStream from './FirstStepsStream.vue';
import { readFirstSteps } from './first-steps-text.ts';
import { TEXTS } from './texts.ts';

const TEXT = 'http 127.0.0.1:8080;\nrtmp 127.0.0.1:1935;\nstream demo/one { input fake://; }\n';
let desk: TestDesk;
beforeEach(() => {
  localStorage.clear();
  desk = new TestDesk();
  desk.bridge.answers['config.text'] = { text: TEXT, revision: 'r1', version: 1 };
});
afterEach(() => document.body.replaceChildren());

const dialog = (): Element | null => document.querySelector('[role=dialog]');
const field = (name: string): HTMLInputElement =>
  dialog()?.querySelector<HTMLInputElement>(`[data-test=${name}] input`) ??
  expect.fail(`no field ${name} in ${document.body.textContent}`);
const fill = (name: string, text: string): void => {
  field(name).value = text;
  field(name).dispatchEvent(new Event('input'));
};
const press = async (name: string): Promise<void> => {
  if (name === 'next') dialog()?.querySelector('form')?.dispatchEvent(new Event('submit'));
  else document.querySelector<HTMLButtonElement>(`[data-test=${name}]`)?.click();
  await flushPromises();
};
const show = async (info: object = { is_demo: true }): Promise<void> => {
  desk.setServer(info);
  desk.mount(FirstSteps);
  await flushPromises();
};

describe('FirstSteps', () => {
  it('opens once for the demo configuration, with write access', async () => {
    await show({ is_demo: false });
    expect(dialog()).toBeNull();
    desk.setServer({ is_demo: true, may_write: false });
    await nextTick();
    expect(useShellDialogs().open).toBeNull();
    desk.setServer({ is_demo: true });
    await flushPromises();
    expect(dialog()?.textContent).toContain(TEXTS.steps[0]);
    await press('later');
    desk.setServer({ is_demo: true, hostname: 'again' });
    await flushPromises();
    expect(useShellDialogs().open).toBeNull();
  });

  it('starts with the language, which is stored for this desk', async () => {
    await show();
    dialog()?.querySelector<HTMLInputElement>('input[value=de]')?.click();
    await flushPromises();
    expect(localStorage.getItem('airdesk-language')).toBe('de');
  });

  it('makes one change of the configuration from all steps, and opens the wall', async () => {
    await show();
    fill('http-port', '8081');
    fill('password', 'a long phrase');
    await press('next');
    fill('days', '3');
    await press('next');
    fill('stream-name', 'studio');
    await press('next');
    const applied = desk.bridge.calls.filter(([name]) => name === 'config.apply').map(([, input]) => input);
    expect(applied).toEqual([
      {
        revision: 'r1',
        text: 'http 127.0.0.1:8081;\nrtmp 127.0.0.1:1935;\nedit_auth admin "a long phrase";\ndvr main { root archive; }\nstream studio { input publish://; dvr @main 3d; }\n',
      },
    ]);
    expect([useShellDialogs().open, desk.router.currentRoute.value.name]).toEqual([null, 'wall']);
  });

  it('warns of encoders and viewers that a change of ports disconnects', async () => {
    const publish = { ...aStream().inputs[0]!, url: 'publish://' };
    desk.setStreams(
      aStream({ name: 'live/a', alive: true, active_input: 0, inputs: [publish], client_count: 3 }),
      aStream({ name: 'b', alive: true }),
    );
    await show();
    expect(dialog()?.querySelector('[data-test=disconnects]')).toBeNull();
    dialog()?.querySelector<HTMLInputElement>('input[value=network]')?.click();
    await flushPromises();
    const warning = (): string => dialog()?.querySelector('[data-test=disconnects]')?.textContent ?? '';
    expect(warning()).toContain('1 encoder has to connect again');
    expect(warning()).toContain('3 viewers may lose the picture');
    await press('next');
    expect(warning()).toBe('');
    await press('next');
    expect(warning()).toContain('1 encoder has to connect again');
    desk.setStreams(aStream({ name: 'live/a', alive: true, active_input: 0, inputs: [publish] }));
    await flushPromises();
    expect(warning()).not.toContain('viewer');
  });

  it('warns that the network may see everything, until a password is set', async () => {
    await show();
    const warning = (): boolean => dialog()?.querySelector('[data-test=open-to-all]') !== null;
    expect(warning()).toBe(false);
    dialog()?.querySelector<HTMLInputElement>('input[value=network]')?.click();
    await flushPromises();
    expect(warning()).toBe(true);
    fill('password', 'a long phrase');
    await flushPromises();
    expect(warning()).toBe(false);
  });

  it('refuses passwords that are easily guessed, with the reason, and creates a login for viewing', async () => {
    await show();
    for (const [password, reason] of [
      ['hello', 'at least 8 characters'],
      ['aaaaaaaaaa', 'greater variety of characters'],
      ['hello admin', 'must not contain the login'],
      ['Password1', 'easy to guess'],
    ] as const) {
      fill('password', password);
      await press('next');
      expect(dialog()?.textContent).toContain(reason);
    }
    fill('password', 'a long phrase');
    await flushPromises();
    expect(dialog()?.textContent).toContain(TEXTS.asksForChanges);
    fill('view-password', 'a long phrase');
    await press('next');
    expect(dialog()?.textContent).toContain('differs from the other field');
    fill('view-password', 'only looking');
    await flushPromises();
    expect(dialog()?.textContent).toContain(TEXTS.asksForAll);
    for (let step = 0; step < 3; step++) await press('next');
    const [, applied] = desk.bridge.calls.find(([name]) => name === 'config.apply') ?? [];
    expect(applied).toMatchObject({
      text: expect.stringContaining('edit_auth admin "a long phrase";\nview_auth viewer "only looking";\n'),
    });
  });

  it.each([true, false])(
    'records the first stream in an existing storage if the box is checked: %s',
    async (isRecorded) => {
      desk.bridge.answers['config.text'] = { text: 'http 80;\ndvr own { root /a; }\n', revision: 'r1', version: 1 };
      await show({ is_demo: true });
      await press('next');
      if (!isRecorded) dialog()?.querySelector<HTMLInputElement>('[data-test=records-first]')?.click();
      await press('next');
      fill('stream-name', 'studio');
      await press('next');
      const [, applied] = desk.bridge.calls.find(([name]) => name === 'config.apply') ?? [];
      expect(applied).toMatchObject({
        text: expect.stringContaining(`stream studio { input publish://;${isRecorded ? ' dvr @own 7d;' : ''} }`),
      });
    },
  );

  it('keeps this desk logged in with the new login', async () => {
    const logins: unknown[] = [];
    desk.bridge.login = {
      access: () => Promise.resolve(undefined),
      logIn: (...given) => Promise.resolve({ kind: 'done', given: logins.push(given) }),
      logOut: () => Promise.resolve(),
    };
    await show();
    fill('password', 'a long phrase');
    for (let step = 0; step < 3; step++) await press('next');
    expect(logins).toEqual([['admin', 'a long phrase']]);
  });

  it('shows errors beside the field, and goes back without losing input', async () => {
    await show();
    fill('http-port', 'x');
    await press('next');
    expect(dialog()?.textContent).toContain('A port is a number from 1 to 65535.');
    fill('http-port', '8085');
    await press('next');
    fill('days', '0');
    await press('next');
    expect(dialog()?.textContent).toContain('Enter a whole number of days');
    await press('back');
    expect(field('http-port').value).toBe('8085');
  });

  it('shows why the configuration cannot be read or changed', async () => {
    desk.bridge.errors['config.text'] = { code: 'internal', title: 'x', message: 'It broke.' } as never;
    await show();
    expect(dialog()?.querySelector('[role=alert]')?.textContent).toContain('It broke.');
    delete desk.bridge.errors['config.text'];
    await press('again');
    desk.bridge.errors['config.apply'] = { code: 'port_in_use', title: 'x', message: 'Port 8080 is taken.' } as never;
    for (let step = 0; step < 3; step++) await press('next');
    expect(dialog()?.querySelector('[role=alert]')?.textContent).toContain('Port 8080 is taken.');
  });
});

describe('a step of the first steps', () => {
  const props = (text: string, known: object) => ({ modelValue: reactive(readFirstSteps(text)), known, problems: {} });

  it('skips login and folder if they exist', () => {
    const known = { hasLogin: true, hasArchive: true };
    const access = desk.mount(FirstStepsAccess, { props: props('edit_auth a b;', known) });
    expect([access.text().includes(TEXTS.hasLogin), access.find('[data-test=password]').exists()]).toEqual([
      true,
      false,
    ]);
    const archive = desk.mount(FirstStepsArchive, { props: props('dvr a { root /a; }', known) });
    expect([archive.text().includes(TEXTS.hasArchive), archive.find('[data-test=folder]').exists()]).toEqual([
      true,
      false,
    ]);
  });

  it('asks for an address of a pull stream, and offers to keep the demo streams', async () => {
    const stream = desk.mount(FirstStepsStream, { props: props('', {}) });
    expect([stream.find('[data-test=stream-address]').exists(), stream.find('input[type=checkbox]').exists()]).toEqual([
      false,
      false,
    ]);
    await stream.get('input[value=pull]').setValue(true);
    expect(stream.find('[data-test=stream-address]').exists()).toBe(true);
    expect(
      desk
        .mount(FirstStepsStream, { props: props(TEXT, {}) })
        .find('input[type=checkbox]')
        .exists(),
    ).toBe(true);
  });
});
