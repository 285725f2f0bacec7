import { describe, expect, it } from 'vitest';

const MATCHERS = Symbol.for('$$jest-matchers-object');

describe('toEqual with byte arrays', () => {
  it('accepts equal values, and reports different values', () => {
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

  it('has one additional tester, however many files a process has run', () => {
    const { customEqualityTesters } = Reflect.get(globalThis, MATCHERS) as {
      customEqualityTesters: readonly unknown[];
    };
    expect(customEqualityTesters).toHaveLength(1);
  });
});
