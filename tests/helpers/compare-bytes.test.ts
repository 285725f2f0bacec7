import { describe, expect, it } from 'vitest';

const MATCHERS = Symbol.for('$$jest-matchers-object');

describe('comparing bytes at once', () => {
  it('finds exactly equal values equal', () => {
    const sample = (last: unknown): unknown => [{ bytes: Buffer.of(1, 2), at: [new Map([['a', [last]]])] }, undefined];
    expect(sample(3)).toEqual(sample(3));
    expect(sample(3)).not.toEqual(sample(4));
    expect(sample(0)).not.toEqual(sample(-0));
    expect({ bytes: Buffer.of(1, 2) }).not.toEqual({ bytes: Buffer.of(1, 3) });
    expect([{ a: 1, b: undefined }]).toEqual([{ a: 1 }]);
    expect([{ a: 1, b: undefined }]).not.toStrictEqual([{ a: 1 }]);
    expect([{ a: 1, b: 'two' }]).toEqual([{ a: 1, b: expect.any(String) as string }]);
    expect([{ a: 1, b: 2 }]).not.toEqual([{ a: 1, b: expect.any(String) as string }]);
  });

  it('runs once per comparison, however many files a process has run', () => {
    const { customEqualityTesters } = Reflect.get(globalThis, MATCHERS) as {
      customEqualityTesters: readonly unknown[];
    };
    expect(customEqualityTesters).toHaveLength(1);
  });
});
