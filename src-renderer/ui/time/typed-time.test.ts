import { describe, expect, it } from 'vitest';
import { readTypedTime, typedTimeText } from './typed-time.ts';

describe('readTypedTime', () => {
  it('reads a day, or a day with a time', () => {
    expect(readTypedTime('2026-11-28', false)).toBe('2026-11-28');
    expect(readTypedTime(' 2026-11-28 ', true)).toBe('2026-11-28T00:00:00');
    expect(readTypedTime('2026-11-28 3:01', true)).toBe('2026-11-28T03:01:00');
    expect(readTypedTime('2026-11-28T03:01:09', true)).toBe('2026-11-28T03:01:09');
    expect(typedTimeText('2026-11-28T03:01:09')).toBe('2026-11-28 03:01:09');
  });

  it('refuses other forms and times that do not exist', () => {
    for (const text of ['', '11/28/2026', '28.11.2026', '2026-02-31', '2026-13-01', '2026-11-28 24:00', '2026-11'])
      expect(readTypedTime(text, true)).toBeUndefined();
    expect(readTypedTime('2026-11-28 03:01', false)).toBeUndefined();
    expect(readTypedTime('9'.repeat(100_000), true)).toBeUndefined();
  });
});
