import { describe, expect, it } from 'vitest';
import type { Subscriber } from '../../../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import { planRow } from './import-plan.ts';
import { readImport, type ImportRow } from './import-rows.ts';

const rowsOf = (text: string): readonly ImportRow[] => {
  const rows = readImport(text);
  if (typeof rows === 'string') throw new Error(rows);
  return rows;
};

describe('readImport', () => {
  it('reads CSV files in both languages, with any usual separator', () => {
    const expected = {
      line: 2,
      fields: { name: 'Ana, "A" Berg', phoneCountryCode: '44', phone: '5550101', note: 'two\nlines' },
      packages: ['News', 'Sport'],
      period: { from: '', until: '' },
      fault: '',
    };
    const cells = '"Ana, ""A"" Berg",+44,555 01-01,"two\nlines",News | Sport';
    expect(rowsOf(`\uFEFFName,Country code,Phone,Note,Packages\r\n${cells}\r\n\r\n`)).toEqual([expected]);
    const german = cells
      .replaceAll(',+', ';+')
      .replaceAll(',5', ';5')
      .replace(',"two', ';"two')
      .replace(',News', ';News');
    expect(rowsOf(`NAME;Landesvorwahl;Telefon;Notiz;Pakete\n${german}`)).toEqual([expected]);
  });

  it('ignores unknown columns, and removes the apostrophe of an export', () => {
    expect(rowsOf("name,city,note\nAna,Bergen,'=1")[0]?.fields).toEqual({ name: 'Ana', note: '=1' });
  });

  it('reports the error of each row', () => {
    const text = 'name,phone,customer number\n,1,\nAna,12x,\nBo,1,C-1\nCy,1,\nDi,,C-1\nEd,,,x';
    expect(rowsOf(text).map(({ line, fault }) => [line, fault])).toEqual([
      [2, 'The name is missing.'],
      [3, '“12x” has characters that are not digits.'],
      [4, ''],
      [5, 'Line 4 has the same number.'],
      [6, 'Line 4 has the same number.'],
      [7, 'The row has more cells than the header.'],
    ]);
    expect(rowsOf(`name\n${'x'.repeat(201)}`)[0]?.fault).toBe('Name is too long.');
    expect(rowsOf('name,note\n"a\nb",c')[0]?.fault).toBe('Name has more than one line.');
  });

  it('requires a header', () => {
    expect(readImport('')).toBe('The file has no rows.');
    expect(readImport('Ana Berg,44,5550101')).toMatch(/first line must name the columns/);
    expect(readImport('name,Name\nA,B')).toBe('The column Name occurs twice.');
    expect(rowsOf('name\n')).toEqual([]);
  });

  it('accepts a hundred thousand rows', () => {
    expect(rowsOf(`name\n${'Ana\n'.repeat(100_000)}`)).toHaveLength(100_000);
  });
});

describe('the effect of an imported row', () => {
  const ANA: Subscriber = {
    subscriberId: 's1',
    name: 'Ana',
    phoneCountryCode: '44',
    phone: '1',
    customerNumber: 'C-1',
    note: '',
    isDisabled: false,
    createdAt: '',
    packageIds: ['k1'],
    plans: [],
  };
  const PACKAGES = new Map([
    ['News', 'k1'],
    ['Sport', 'k2'],
  ]);
  const planOf = (text: string, ofNumber: Subscriber | null, ofPhone: Subscriber | null = null) => {
    const [row] = rowsOf(text);
    const { kind, detail, write } = planRow(row!, { ofNumber, ofPhone }, PACKAGES);
    return [kind, detail, write];
  };

  it('is a new subscriber if no number is known', () => {
    expect(planOf('name,packages\nBo,News', null)).toEqual([
      'new',
      'News',
      { fields: { name: 'Bo' }, packageIds: ['k1'] },
    ]);
    expect(planOf('name,customer number\n,C-9', null)).toEqual(['invalid', 'The name is missing.', undefined]);
  });

  it('is the difference to the known subscriber, without removing packages', () => {
    expect(planOf('name,note,packages\nAna,late,News|Sport', null, ANA)).toEqual([
      'changed',
      'Note: – → late; adds Sport',
      { subscriberId: 's1', fields: { note: 'late' }, packageIds: ['k2'] },
    ]);
    expect(planOf('name,customer number\n,C-1', ANA)).toEqual(['same', '', undefined]);
  });

  it('includes the period of packages, and keeps a planned package without a new period', () => {
    const [startsAt, endsAt] = ['2999-01-31T18:00', '2999-03-01T00:00'].map((time) => new Date(time).toISOString());
    const list = (period: string, packages = 'Sport'): string => `name,packages,from,until\nAna,${packages},${period}`;
    expect(planOf(list('2999-01-31 18:00,2999-03-01'), null)).toEqual([
      'new',
      'Sport from 2999-01-31 18:00 until 2999-03-01',
      { fields: { name: 'Ana' }, packageIds: ['k2'], period: { startsAt, endsAt } },
    ]);
    const plan = { packageId: 'k2', startsAt: startsAt!, endsAt: endsAt!, state: 'planned' } as const;
    const planned = { ...ANA, plans: [plan] };
    expect(planOf(list('2999-01-31 18:00,2999-03-01'), null, planned)[0]).toBe('same');
    expect(planOf(list(','), null, planned)[0]).toBe('same');
    expect(planOf(list(',2999-03-01', 'News'), null, ANA)).toEqual([
      'changed',
      'adds News until 2999-03-01',
      { subscriberId: 's1', fields: {}, packageIds: ['k1'], period: { endsAt } },
    ]);
    for (const [period, fault] of [
      ['31.1.2999,', '“31.1.2999” is no date'],
      ['2999-02-01,2999-01-01', 'Until must be after From'],
      [',2020-01-01', 'and in the future'],
    ])
      expect(planOf(list(period!), null)).toEqual(['invalid', expect.stringContaining(fault!), undefined]);
    expect(planOf(list(',2999-01-01', ''), null)[1]).toBe('From and Until need a package.');
  });

  it('is an error if a package is unknown, or the phone number belongs to another subscriber', () => {
    expect(planOf('name,packages\nBo,Films', null)).toEqual(['invalid', 'No such package: Films', undefined]);
    const other = { ...ANA, subscriberId: 's2', name: 'Bo' };
    expect(planOf('name\nAna', ANA, other)).toEqual(['invalid', 'Bo has this phone number.', undefined]);
  });
});
