import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import StreamStill from './StreamStill.vue';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const VIDEO = aStream().media_info;
/** Observers of the page; the test makes their elements visible. */
let observers: ((isSeen: boolean) => void)[];
let requests: string[];
let answer: () => Promise<Response>;
let desk: TestDesk;
let boxes: VueWrapper[];

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  observers = [];
  boxes = [];
  requests = [];
  answer = () => Promise.resolve(pictureOf(new Date(NOW - 2_000).toUTCString()));
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(report: (entries: readonly object[]) => void) {
        observers.push((isIntersecting) => report([{ isIntersecting }]));
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
  vi.stubGlobal('fetch', (url: string) => {
    requests.push(url);
    return answer();
  });
  desk = new TestDesk();
  desk.setServer({ view_query: 'token=t', may_watch_all: true });
});
afterEach(() => {
  for (const box of boxes) box.unmount();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const pictureOf = (time: string): Response =>
  new Response(new Blob(['jpeg']), { headers: { 'content-type': 'image/jpeg', 'last-modified': time } });
async function still(state = {}): Promise<VueWrapper> {
  const props = { state: aStream({ media_info: VIDEO, started_at: NOW - 60_000, ...state }) };
  const box = desk.mount(StreamStill, { props });
  boxes.push(box);
  await flushPromises();
  return box;
}
async function wait(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await flushPromises();
}

describe('StreamStill', () => {
  it('loads the picture only while visible, and again after five seconds', async () => {
    const box = await still();
    await wait(10_000);
    expect(requests).toEqual([]);
    observers[0]?.(true);
    await wait(1_000);
    expect(requests).toEqual(['http://desk.example/cam1/preview.jpg?token=t&optional=true']);
    expect(box.get('img').attributes('alt')).toContain('Picture of ');
    await wait(5_500);
    expect(requests).toHaveLength(2);
    observers[0]?.(false);
    await wait(60_000);
    expect(requests).toHaveLength(2);
  });

  it('loads nothing for a row that scrolls past', async () => {
    await still();
    observers[0]?.(true);
    await wait(100);
    observers[0]?.(false);
    await wait(10_000);
    expect(requests).toEqual([]);
  });

  it('shows the age of the picture when no new one arrives', async () => {
    const box = await still();
    observers[0]?.(true);
    await wait(1_000);
    expect(box.find('[data-test=age]').exists()).toBe(false);
    await box.setProps({ state: aStream({ media_info: VIDEO, alive: false }) });
    await wait(60_000);
    expect(box.get('[data-test=age]').text()).toBe('1:03');
    // The row of the stream moved.
    expect((await still({ alive: false })).get('[data-test=age]').text()).toBe('1:03');
  });

  it('shows why there is no picture', async () => {
    expect((await still({ name: 'radio', media_info: { streams: [], tracks: [] } })).text()).toBe('No video');
    expect((await still({ name: 'new', alive: false })).text()).toBe('No picture');
    for (const status of [204, 404]) {
      answer = () => Promise.resolve(new Response(null, { status }));
      const box = await still({ name: `starting ${status}` });
      expect(box.text()).toBe('Loading');
      observers.at(-1)?.(true);
      await wait(1_000);
      expect(box.text()).toBe('No picture');
    }
  });

  it('loads nothing for a login that cannot watch every stream', async () => {
    for (const info of [{ may_watch_all: false }, { may_watch_all: false, prefixes: ['studio'] }]) {
      desk.setServer({ view_query: 'token=t', ...info });
      expect((await still({ name: 'protected' })).text()).toBe('No picture');
      observers.at(-1)?.(true);
      await wait(10_000);
    }
    expect(requests).toEqual([]);
  });

  it('loads two pictures at a time', async () => {
    const replies: ((reply: Response) => void)[] = [];
    answer = () => new Promise((resolve) => replies.push(resolve));
    for (const name of ['a', 'b', 'c']) await still({ name });
    for (const see of observers) see(true);
    await wait(1_000);
    expect(requests).toHaveLength(2);
    replies[0]?.(pictureOf(''));
    await wait(10);
    expect(requests).toHaveLength(3);
    for (const reply of replies) reply(pictureOf(''));
    await wait(10);
  });
});
