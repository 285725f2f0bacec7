import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestDesk } from '../../tests/helpers/desk/test-desk.ts';
import { httpLogin, type LoginOutcome } from '../lib/desk-login.ts';
import LoginPage from './LoginPage.vue';

let desk: TestDesk;
let outcome: LoginOutcome;
let sent: string[];
let mayRead: boolean;
beforeEach(() => {
  vi.useFakeTimers();
  desk = new TestDesk();
  [outcome, sent, mayRead] = [{ kind: 'wrong' }, [], false];
  desk.bridge.login = {
    access: () => Promise.resolve({ mayRead, server: 'studio-1' }),
    logIn: (login, password) => {
      sent.push(`${login}:${password}`);
      return Promise.resolve(outcome);
    },
    logOut: () => Promise.resolve(),
  };
});
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

async function open(path: string, mustLogIn: boolean): Promise<VueWrapper> {
  await desk.router.push(path);
  desk.setServer({ hostname: 'studio-1' }, { mustLogIn });
  const page = desk.mount(LoginPage, { isAttached: true });
  await flushPromises();
  return page;
}
async function logIn(page: VueWrapper, name: string, password: string): Promise<void> {
  const [user, secret] = page.findAll('input');
  await user?.setValue(name);
  await secret?.setValue(password);
  await page.get('form').trigger('submit');
  await flushPromises();
}

describe('LoginPage', () => {
  it('shows the server and the error, and does not send the same wrong login again', async () => {
    const page = await open('/streams', true);
    expect(page.get('h1').text()).toBe('studio-1');
    expect(page.find('[data-test=leave]').exists()).toBe(false);
    expect(page.findAll('input').map((input) => input.attributes('autocomplete'))).toEqual([
      'username',
      'current-password',
    ]);
    await logIn(page, 'boss', 'guess');
    await page.get('form').trigger('submit');
    expect(sent).toEqual(['boss:guess']);
    expect(page.get('[role=alert]').text()).toContain('Wrong user or password');
    expect(page.get('[data-test=log-in]').attributes('disabled')).toBeDefined();
    // A new attempt clears the message about the last one.
    await page.findAll('input')[1]?.setValue('other');
    expect(page.get('[role=alert]').text()).toBe('');
    outcome = { kind: 'done' };
    await page.get('form').trigger('submit');
    await flushPromises();
    expect([sent.at(-1), desk.router.currentRoute.value.fullPath]).toEqual(['boss:other', '/streams']);
  });

  it('counts down after too many attempts, and explains what to do without an answer', async () => {
    outcome = { kind: 'wait', seconds: 3 };
    const page = await open('/wall', true);
    await logIn(page, 'boss', 'a');
    expect(page.get('[role=alert]').text()).toContain('in 3 s');
    await page.get('form').trigger('submit');
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(3100);
    expect(page.get('[role=alert]').text()).toBe('');
    outcome = { kind: 'unreachable' };
    await page.get('form').trigger('submit');
    await flushPromises();
    expect(page.get('[role=alert]').text()).toContain('The server does not answer');
    outcome = { kind: 'refused', status: 403 };
    await page.get('form').trigger('submit');
    await flushPromises();
    expect(page.get('[role=alert]').text()).toContain('(403)');
  });

  it('returns to the previous page, with another login or without', async () => {
    const page = await open('/login?back=/log?media=cam1', false);
    await page.get('[data-test=leave]').trigger('click');
    await flushPromises();
    expect(desk.router.currentRoute.value.fullPath).toBe('/log?media=cam1');
    await desk.router.push('/login?back=//evil.example');
    outcome = { kind: 'done' };
    await logIn(page, 'boss', 'right');
    expect(desk.router.currentRoute.value.name).not.toBe('login');
  });

  it('continues after a login in another window', async () => {
    await open('/wall', true);
    expect(desk.bridge.retries).toBe(0);
    mayRead = true;
    window.dispatchEvent(new Event('focus'));
    await flushPromises();
    expect(desk.bridge.retries).toBe(1);
  });

  it('is absent in the window of the application', async () => {
    delete desk.bridge.login;
    await open('/login', false);
    await flushPromises();
    expect(desk.router.currentRoute.value.name).toBe('wall');
  });
});

describe('httpLogin', () => {
  const replies: Record<string, Response | Error> = {};
  let requests: string[];
  let changes: string[];
  const login = httpLogin({
    request: (path, request) => {
      requests.push(`${request?.method ?? 'GET'} ${path}`);
      const reply = replies[path];
      return reply instanceof Response ? Promise.resolve(reply) : Promise.reject(reply ?? new Error('away'));
    },
    onLogin: () => changes.push('changed'),
    onLogout: () => changes.push('left'),
  });
  beforeEach(() => {
    [requests, changes] = [[], []];
  });

  it.each([
    [new Response(null, { status: 204 }), { kind: 'done' }, ['changed']],
    [new Response('{}', { status: 401 }), { kind: 'wrong' }, []],
    [new Response('{}', { status: 429, headers: { 'retry-after': '9' } }), { kind: 'wait', seconds: 9 }, []],
    [new Response('{}', { status: 403 }), { kind: 'refused', status: 403 }, []],
    [new Error('away'), { kind: 'unreachable' }, []],
  ])('returns the result %#', async (reply, expected, changed) => {
    replies['/-/login'] = reply;
    expect(await login.logIn('boss', 'a long phrase')).toEqual(expected);
    expect([requests, changes]).toEqual([['POST /-/login'], changed]);
  });

  it('returns the access, and logs out', async () => {
    replies['/-/access'] = Response.json({ may_read: true, server: 'studio-1' });
    expect(await login.access()).toEqual({ mayRead: true, server: 'studio-1' });
    replies['/-/access'] = new Error('away');
    expect(await login.access()).toBeUndefined();
    replies['/-/logout'] = new Error('away');
    await login.logOut();
    expect(changes).toEqual(['left']);
  });
});
