import { expect, it } from 'vitest';
import { fileNameFault } from './file-name.ts';

it.each(['film.mp4', 'Ä ö.mkv', 'console.mp4', 'a..b', 'x'.repeat(200), '日本'])('fileNameFault accepts %s', (name) => {
  expect(fileNameFault(name, 200)).toBeUndefined();
});

it.each([
  ['', 'missing'],
  [' ', 'missing'],
  ['..', 'missing'],
  ['a/b', 'slashes'],
  ['a\\b', 'slashes'],
  ['a\nb', 'control'],
  ['a\u009Fb', 'control'],
  ['a\u2028b', 'control'],
  ['\uD800', 'control'],
  ['日'.repeat(67), '200 bytes'],
  ['film.', 'dot'],
  ['film ', 'space'],
  ['CON', 'device'],
  ['nul.mp4', 'device'],
  ['com1.tar.gz', 'device'],
])('fileNameFault refuses %j', (name, fault) => {
  expect(fileNameFault(name, 200)?.detail).toContain(fault);
});
