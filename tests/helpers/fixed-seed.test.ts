import fc from 'fast-check';
import { expect, it } from 'vitest';

it('property tests use the same values in each run', () => {
  const tried = (): unknown => {
    const values: number[] = [];
    fc.assert(fc.property(fc.nat(), (value) => void values.push(value)));
    return values;
  };
  const given = process.env['AIRDESK_SEED'];
  const isSearch = process.env['AIRDESK_RUNS'] !== undefined && given === undefined;
  expect(fc.readConfigureGlobal()?.seed).toBe(isSearch ? undefined : Number(given ?? 42));
  if (!isSearch) expect(tried()).toEqual(tried());
});
