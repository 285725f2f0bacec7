import { describe, expect, it } from 'vitest';
import { Credit } from './credit.ts';

describe('Credit', () => {
  it('is used up at its limit, and restored once when half of it was taken', () => {
    let restored = 0;
    const credit = new Credit(100, () => restored++);
    expect([credit.spend(60), credit.spend(39), credit.spend(30)]).toEqual([true, true, false]);
    credit.restore(60);
    expect([credit.underWayBytes, restored]).toEqual([69, 0]);
    credit.restore(30);
    credit.restore(9);
    expect([credit.underWayBytes, restored]).toEqual([30, 1]);
  });

  it('says nothing while it is not used up', () => {
    let restored = 0;
    const credit = new Credit(100, () => restored++);
    for (let turn = 0; turn < 10; turn++) {
      credit.spend(50);
      credit.restore(50);
    }
    expect(restored).toBe(0);
  });
});
