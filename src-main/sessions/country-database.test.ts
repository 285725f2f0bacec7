import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countryFile, type Network } from '../../tests/helpers/country-file.ts';
import { CountryDatabase } from './country-database.ts';

const NETWORKS: readonly Network[] = [
  ['192.0.2.0/24', 'DE'],
  ['198.51.100.128/25', 'AT'],
  ['203.0.113.7/32', 'CH'],
  ['2001:db8::/32', 'FR'],
  ['2001:db8:ffff::/48', 'IT'],
];

describe('CountryDatabase', () => {
  it.each([24, 28, 32] as const)('finds countries in records of %i bits', (bits) => {
    const database = new CountryDatabase(countryFile(NETWORKS, bits));
    const found = [
      '192.0.2.0',
      '192.0.2.255',
      '192.0.3.0',
      '198.51.100.127',
      '198.51.100.128',
      '203.0.113.7',
      '203.0.113.6',
      '2001:db8::1',
      '2001:db8:fffe:ffff::',
      '2001:db8:ffff::1',
      '2001:db9::',
      '::1',
      'nonsense',
      '',
    ].map((ip) => database.countryOf(ip));
    expect(found).toEqual(['DE', 'DE', null, null, 'AT', 'CH', null, 'FR', 'FR', 'IT', null, null, null, null]);
  });

  it('finds an IPv4 address in its IPv6 form', () => {
    expect(new CountryDatabase(countryFile(NETWORKS, 24)).countryOf('::192.0.2.7')).toBe('DE');
  });

  it('uses the registered country if there is no other, and follows pointers', () => {
    const file = countryFile([['192.0.2.0/24', 'DE', 'registered_country']], 24, { hasPointers: true });
    expect(new CountryDatabase(file).countryOf('192.0.2.1')).toBe('DE');
  });

  it('reports an invalid file, and tolerates damaged ones', () => {
    expect(() => new CountryDatabase(Buffer.from('no such file'))).toThrow('not in the MaxMind DB format');
    const file = countryFile(NETWORKS, 28);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { maxLength: 20 }),
        fc.nat(file.length),
        (changes, cut) => {
          const bytes = Buffer.from(file);
          for (const [at, byte] of changes) bytes[at] = byte;
          for (const damaged of [bytes, file.subarray(cut)]) {
            let database: CountryDatabase;
            try {
              database = new CountryDatabase(damaged);
            } catch (error) {
              expect(error).toBeInstanceOf(Error);
              continue;
            }
            const country = database.countryOf('192.0.2.1');
            expect(country === null || /^[A-Z]{2}$/.test(country)).toBe(true);
          }
        },
      ),
    );
  });
});
