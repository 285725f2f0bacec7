import { describe, expect, it } from 'vitest';
import { inPlaylist, inXml, addViewerQuery, VIEWER_QUERY, streamFolder } from './own-addresses.ts';

describe('the query of a viewer in addresses', () => {
  it('is added to every address in a playlist, and to nothing else', () => {
    const playlist = [
      '#EXTM3U',
      '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.5',
      '#EXT-X-MAP:URI="init-1.mp4"',
      '#EXT-X-PART:DURATION=0.5,URI="1.0.m4s",INDEPENDENT=YES',
      '#EXTINF:2,',
      '1.m4s',
      '2.m4s?a=1',
      '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="3.0.m4s"',
      '#EXT-X-RENDITION-REPORT:URI="../a1/index.m3u8",LAST-MSN=7,LAST-PART=0',
      '',
    ].join('\n');
    expect(addViewerQuery(playlist).replaceAll(VIEWER_QUERY, 'token=t').split('\n')).toEqual([
      '#EXTM3U',
      '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.5',
      '#EXT-X-MAP:URI="init-1.mp4?token=t"',
      '#EXT-X-PART:DURATION=0.5,URI="1.0.m4s?token=t",INDEPENDENT=YES',
      '#EXTINF:2,',
      '1.m4s?token=t',
      '2.m4s?a=1&token=t',
      '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="3.0.m4s?token=t"',
      '#EXT-X-RENDITION-REPORT:URI="../a1/index.m3u8?token=t",LAST-MSN=7,LAST-PART=0',
      '',
    ]);
  });

  it.each([
    [{ host: 'cdn.example:8080' }, false, 'http://cdn.example:8080/a/cam/'],
    [{ host: '[2001:db8::1]' }, true, 'https://[2001:db8::1]/a/cam/'],
    [{ host: 'cdn.example', 'x-forwarded-proto': 'http, https' }, false, 'https://cdn.example/a/cam/'],
    [{ host: 'cdn.example', 'x-forwarded-proto': 'javascript' }, false, 'http://cdn.example/a/cam/'],
    [{ host: 'a"/b' }, false, '../'],
    [{}, false, '../'],
  ])(
    'stream folder addresses are absolute if the client sends a valid Host, otherwise relative: %o',
    (headers: Readonly<Record<string, string>>, isEncrypted, folder) => {
      const header = (name: string): string | undefined => headers[name];
      expect(streamFolder({ path: '/a/cam/v1/index.m3u8', isEncrypted, header })).toBe(folder);
    },
  );

  it('is escaped so that it cannot end the attribute or line that contains it', () => {
    expect(inPlaylist('token=a"b\r\n#EXT c')).toBe('token=a%22b%0D%0A#EXT%20c');
    expect(inXml(`token=a&b=<c>"d'`)).toBe('token=a&amp;b=%3Cc%3E%22d&apos;');
  });
});
