import { expect, it } from 'vitest';
import { WindowBudget } from './window-budget.ts';

it('WindowBudget counts no part whose segment left the window before the part was complete', () => {
  const budget = new WindowBudget({ segmentCount: 2, maxWindowBytes: 1000 }, 0);
  for (let msn = 0; msn < 100; msn++) {
    budget.trimByCount(msn, msn);
    budget.add(msn, 100);
    // A lagging track ends a segment that has already left the window.
    if (msn >= 3) budget.add(msn - 3, 100);
  }
  expect(budget.bytes).toBe(300);
  expect(budget.isExceeded).toBe(false);
});
