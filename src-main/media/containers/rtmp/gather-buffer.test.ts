import { expect, it } from 'vitest';
import { GatherBuffer } from './gather-buffer.ts';

it('GatherBuffer grows with the received bytes, not with the announced length', () => {
  const buffer = new GatherBuffer();
  expect(buffer.append(new Uint8Array(10), 0, 10, 16 * 1024 * 1024)).toBe(256 * 1024);
  expect(buffer.append(new Uint8Array(300_000), 0, 300_000, 16 * 1024 * 1024)).toBe(256 * 1024);
  expect(buffer.length).toBe(300_010);
});

it('GatherBuffer keeps its memory for the next message, and releases it after many small messages', () => {
  const buffer = new GatherBuffer();
  buffer.append(new Uint8Array(100_000), 0, 100_000, 100_000);
  let givenBack = buffer.reset();
  for (let i = 0; i < 600 && givenBack === 0; i += 1) {
    expect(buffer.append(Uint8Array.of(7), 0, 1, 1)).toBe(0);
    expect([...buffer.view()]).toEqual([7]);
    givenBack = buffer.reset();
  }
  expect(givenBack).toBe(131_072);
  expect(buffer.append(Uint8Array.of(7), 0, 1, 1)).toBe(1024);
});
