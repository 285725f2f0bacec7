import { expect, it } from 'vitest';
import { downloadFile, estimatedBytes, exportBody, suggestedPath, type ExportChoice } from './export-request.ts';

const IN = 1_800_000_000_000;
const CHOICE: ExportChoice = {
  names: ['news/cam'],
  range: { from: IN, to: IN + 400 },
  frameMs: 40,
  place: 'archive',
  path: 'x',
  packing: 'mp4',
  isExact: true,
};

it('exportBody requests the pictures from in to out', () => {
  expect(exportBody(CHOICE)).toEqual({
    name: 'news/cam',
    from: IN - 10,
    duration: 400,
    packing: 'mp4',
    exact: true,
    file_name: 'x',
  });
  expect(exportBody({ ...CHOICE, names: ['a', 'b'] })).not.toHaveProperty('file_name');
  expect(exportBody({ ...CHOICE, path: ' ' })).not.toHaveProperty('file_name');
  expect(exportBody({ ...CHOICE, names: ['a', 'b'], place: 'vod:clips', path: '/day/one ' })).toMatchObject({
    names: ['a', 'b'],
    path: 'clips/day/one',
  });
  expect(exportBody({ ...CHOICE, range: { from: 0, to: 1 } })).toMatchObject({ from: 0, duration: 1 });
});

it('downloadFile uses full seconds, and suggestedPath the stream and time', () => {
  expect(downloadFile({ from: IN + 900, to: IN + 1100 }, 'ts')).toBe('archive-1800000000-2.ts?download=true');
  expect(suggestedPath(['news/cam'], IN, 'utc')).toBe('news-cam-2027-01-15T08-00-00Z');
  expect(suggestedPath(['a', 'b'], IN, 'utc')).toBe('export-2027-01-15T08-00-00Z');
  const local = new Date(IN);
  const two = (value: number): string => String(value).padStart(2, '0');
  expect(suggestedPath(['a'], IN, 'local')).toBe(
    `a-2027-01-${two(local.getDate())}T${two(local.getHours())}-${two(local.getMinutes())}-00`,
  );
});

it('estimatedBytes estimates the size from the recorded part of the range', () => {
  const archive = {
    bytes: 6000,
    ranges: [
      { from: 0, to: 100 },
      { from: 500, to: 700 },
    ],
  };
  expect(estimatedBytes([archive], { from: 50, to: 600 })).toBe(3000);
  expect(estimatedBytes([archive, { bytes: 600, ranges: [{ from: 0, to: 600 }] }], { from: 0, to: 100 })).toBe(2100);
  expect(estimatedBytes([{ bytes: 0, ranges: [{ from: 0, to: 600 }] }], { from: 0, to: 100 })).toBeNull();
  expect(estimatedBytes([archive], { from: 100, to: 500 })).toBeNull();
});
