import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALL_OPERATIONS, rangeOf, readOperationFilter } from './operation-filter.ts';

const ID = 'AAAAAAAAAAA.';

describe('the filter of operations in an address', () => {
  it('is parsed as printed', () => {
    const filter = {
      type: 'createPackage',
      subscriber: ID,
      package: ID,
      from: '2027-01-15',
      to: '2027-01-16',
    } as const;
    expect(readOperationFilter({ ...filter, portal: ID, part: 'log' })).toEqual(filter);
  });

  it('is empty if it is invalid', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('type', 'subscriber', 'package', 'from', 'to'), fc.anything()),
        (query) => {
          const filter = readOperationFilter(query);
          expect(readOperationFilter({ ...filter })).toEqual(filter);
          for (const value of Object.values(rangeOf(filter))) expect(value).not.toBeNaN();
        },
      ),
    );
    expect(
      readOperationFilter({ type: 'dance', subscriber: 'x', package: ['a'], from: '2027-02-31', to: 'today' }),
    ).toEqual(ALL_OPERATIONS);
  });

  it('includes both days completely', () => {
    const day = { ...ALL_OPERATIONS, from: '2027-03-27', to: '2027-03-28' };
    expect(rangeOf(day)).toEqual({
      fromMs: new Date(2027, 2, 27).getTime(),
      beforeMs: new Date(2027, 2, 29).getTime(),
    });
    expect(rangeOf(ALL_OPERATIONS)).toEqual({});
  });
});
