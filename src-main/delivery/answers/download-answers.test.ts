import { expect, it } from 'vitest';
import { readSpan } from '../archive-span.ts';
import { fileName } from './download-answers.ts';

it('names saved files after the stream, the start and the length', () => {
  const saved = (name: string, span?: string): string =>
    fileName({ name }, span === undefined ? undefined : readSpan(span), 'mp4');
  expect(saved('news/studio', 'archive-1800000000-10')).toBe('news-studio-2027-01-15T08-00-00Z-10s.mp4');
  expect(saved('news/studio', 'archive-1800000000-now')).toBe('news-studio-archive-1800000000-now.mp4');
  expect(saved('clips/film.mp4')).toBe('film.mp4');
});
