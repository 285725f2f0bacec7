import { mount } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import TileStills from './TileStills.vue';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('TileStills', () => {
  it('requests the next still one second after the last one arrived or failed', async () => {
    const image = mount(TileStills, { props: { url: '/a/preview.jpg?token=x' } }).get('img');
    const addresses = [image.attributes('src')];
    await vi.advanceTimersByTimeAsync(5_000);
    expect(image.attributes('src')).toBe(addresses[0]);
    for (const event of ['load', 'error']) {
      await image.trigger(event);
      await vi.advanceTimersByTimeAsync(1_000);
      addresses.push(image.attributes('src'));
    }
    expect(new Set(addresses).size).toBe(3);
    expect(image.classes('broken')).toBe(true);
    await image.trigger('load');
    expect(image.classes('broken')).toBe(false);
    expect(addresses.every((source) => source?.startsWith('/a/preview.jpg?token=x&'))).toBe(true);
  });
});
