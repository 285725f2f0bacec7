import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ListWindow } from '../../tests/helpers/list-window.ts';
import type { ChangingWindow } from '../segment/segment-window.ts';
import { LongTexts } from './long-texts.ts';
import { StreamOutput } from './stream-output.ts';

const DAY = { fromMs: 0, toMs: 86_400_000 };

/** A window of one day that has only a version and bounds. */
class DayWindow extends ListWindow {
  override version = 1;

  constructor() {
    super({ tracks: [] });
  }

  override bounds(): typeof DAY {
    return DAY;
  }
}

function* lines(window: ChangingWindow, changesAt: readonly number[] = []): Generator<void, string> {
  const found: string[] = [];
  for (let line = 0; line < 10; line++) {
    found.push(String(window.version));
    yield;
    if (changesAt.includes(line)) (window as DayWindow).version++;
  }
  return found.join(' ');
}

const textOf = async (text: string): Promise<{ value: string; sizeBytes: number }> =>
  Promise.resolve({ value: text, sizeBytes: text.length });

describe('LongTexts', () => {
  it('renders each text from a single version of the window, however often the window changes', async () => {
    for (const changes of [0, 1, 2, 3]) {
      const window = new DayWindow();
      let left = changes;
      const text = await new LongTexts().cachedOrMade(
        window,
        'a',
        0,
        () => lines(window, left-- > 0 ? [5] : []),
        textOf,
      );
      expect(new Set(text?.split(' ')).size).toBe(1);
      expect(text?.split(' ')[0]).toBe(String(window.version));
    }
  });

  it('renders a text once for all requests, again for a new version, and caches texts up to a size', async () => {
    const texts = new LongTexts(50);
    const window = new DayWindow();
    let count = 0;
    const textFor = async (key: string): Promise<string | undefined> =>
      texts.cachedOrMade(
        window,
        key,
        0,
        function* () {
          count++;
          return yield* lines(window);
        },
        textOf,
      );
    const [one, other] = await Promise.all([textFor('a'), textFor('a')]);
    expect(one).toBe(other);
    expect(await textFor('a')).toBe(one);
    expect(count).toBe(1);
    window.version = 7;
    expect(await textFor('a')).toContain('7');
    expect(count).toBe(2);
    for (const key of ['b', 'c', 'd']) await textFor(key);
    expect(texts.cachedBytes).toBeLessThanOrEqual(50);
    expect(count).toBe(5);
    await textFor('a');
    expect(count).toBe(6);
    await textFor('d');
    expect(count).toBe(6);
    texts.forget(window);
    expect(texts.cachedBytes).toBe(0);
  });

  it('compresses the texts of an output, gives them an ETag, and returns undefined without media', async () => {
    const window = new DayWindow();
    const output = new StreamOutput('s', window, undefined, undefined, new LongTexts());
    expect(output.hasLongTexts).toBe(true);
    expect(new StreamOutput('s', window).hasLongTexts).toBe(false);
    const plain = await output.renderedInTurns('a', false, 0, 'X: y\r\n', () => lines(window));
    const packed = await output.renderedInTurns('a', true, 0, 'X: y\r\n', () => lines(window));
    expect(Buffer.concat([...(plain?.body ?? [])]).toString()).toBe('1 1 1 1 1 1 1 1 1 1');
    expect(gunzipSync(packed?.body[0] ?? '').toString()).toBe('1 1 1 1 1 1 1 1 1 1');
    expect(packed?.headers).toContain('Content-Encoding: gzip');
    expect(packed?.etag).not.toBe(plain?.etag);
    const cached = await output.piecesInTurns('a', ' ', 0, () => lines(window));
    expect(cached?.pieces).toHaveLength(10);
    const none = function* (): Generator<void, undefined> {
      yield;
      return undefined;
    };
    expect(await output.renderedInTurns('b', true, 0, '', none)).toBeUndefined();
    output.close();
  });
});
