import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../tests/helpers/any-character.ts';
import { pageOfArguments, pageOfLink } from './desk-link.ts';

describe('a link to the application', () => {
  it.each([
    ['airdesk://wall', '/wall'],
    ['airdesk://archive?stream=cam&at=1800000000', '/archive?stream=cam&at=1800000000'],
    ['airdesk://desk/index.html#/streams?stream=cam', '/streams?stream=cam'],
    ['airdesk://desk/index.html', '/'],
    ['AIRDESK://wall/', '/wall'],
  ])('leads from %s to the page %s', (link, place) => {
    expect(pageOfLink(link)).toBe(place);
  });

  it.each([
    'https://wall',
    'wall',
    '',
    'airdesk:',
    'airdesk://',
    'airdesk://../x',
    `airdesk://wall?${'a'.repeat(3000)}`,
  ])('is refused if it is %s', (link) => {
    expect(pageOfLink(link)).toBeUndefined();
  });

  it('opens a page of the desk or is refused, for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc
            .tuple(fc.constantFrom('http', 'https', 'airdesk'), fc.domain(), fc.string({ unit: anyCharacter }))
            .map(([scheme, domain, rest]) => `${scheme}://${domain}/${rest}`),
          fc.string().map((rest) => `airdesk://${rest}`),
        ),
        (link) => {
          expect(pageOfLink(link) ?? '/').toMatch(/^\//);
        },
      ),
    );
  });

  it('is found in a command line', () => {
    expect(pageOfArguments(['/opt/airdesk', '--data', '/srv', 'airdesk://log', 'airdesk://wall'])).toBe('/log');
    expect(pageOfArguments(['/opt/airdesk', 'station.airdesk'])).toBeUndefined();
  });
});
