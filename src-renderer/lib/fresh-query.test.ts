import { describe, expect, it } from 'vitest';
import { freshQueries, withFreshQuery } from './fresh-query.ts';

const NOW = 'http://media.example/cam/index.m3u8?token=new';

describe('requests of a player after its query was renewed', () => {
  it.each([
    ['http://media.example/cam/v1/1.m4s?token=old', 'http://media.example/cam/v1/1.m4s?token=new'],
    [
      'http://media.example/cam/v1/index.m3u8?token=old&_HLS_msn=7',
      'http://media.example/cam/v1/index.m3u8?token=new&_HLS_msn=7',
    ],
    ['http://media.example/cam/v1/1.m4s?token=new', 'http://media.example/cam/v1/1.m4s?token=new'],
    ['http://media.example/cam/v1/1.m4s', 'http://media.example/cam/v1/1.m4s'],
    ['http://cdn.example/cam/v1/1.m4s?token=old', 'http://cdn.example/cam/v1/1.m4s?token=old'],
  ])('change from %s to %s', (url, expected) => {
    expect(withFreshQuery(url, NOW)).toBe(expected);
  });

  it('use the query that is valid when they are sent', () => {
    const opened: string[] = [];
    let current = NOW;
    const request = { open: (_: string, url: string) => opened.push(url) } as unknown as XMLHttpRequest;
    const { xhrSetup } = freshQueries(() => current);
    void xhrSetup?.(request, 'http://media.example/a?token=old', {} as never);
    current = NOW.replace('new', 'newer');
    void xhrSetup?.(request, 'http://media.example/a?token=old', {} as never);
    expect(opened).toEqual(['http://media.example/a?token=new', 'http://media.example/a?token=newer']);
  });
});
