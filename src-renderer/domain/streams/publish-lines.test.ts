import { describe, expect, it } from 'vitest';
import { obsServiceFile, publishLines, withPassword } from './publish-lines.ts';

describe('publishLines', () => {
  it('splits an RTMP address into the fields of OBS', () => {
    expect(publishLines('rtmp://desk:1935/static/cam1?password=a').obs).toEqual({
      server: 'rtmp://desk:1935/static',
      key: 'cam1?password=a',
    });
  });

  it('has an OBS service file with an escaped key', () => {
    const obs = { server: 'rtmp://desk/static', key: 'cam1?password="ö\\' };
    expect(JSON.parse(obsServiceFile(obs))).toEqual({
      type: 'rtmp_custom',
      settings: { ...obs, bwtest: false, use_auth: false },
    });
  });

  it('keeps groups in the key', () => {
    expect(publishLines('rtmp://desk/live/news/cam1').obs).toEqual({ server: 'rtmp://desk/live', key: 'news/cam1' });
  });

  it('uses MPEG-TS for an HTTP address', () => {
    const lines = publishLines('http://desk:8080/cam1/mpegts');
    expect(lines.obs).toBeNull();
    expect(lines.ffmpeg).toMatch(/-f mpegts "http:\/\/desk:8080\/cam1\/mpegts"$/);
  });

  it('keeps a password with any characters', () => {
    const url = withPassword('rtmp://h/static/a', 'p&w+ö "x%$');
    expect(new URLSearchParams(url.split('?')[1]).get('password')).toBe('p&w+ö "x%$');
    expect(publishLines(url).obs?.key).toBe(url.slice('rtmp://h/static/'.length));
    expect(publishLines(url).ffmpeg).toContain(url);
    expect(withPassword('rtmp://h/static/a', '')).toBe('rtmp://h/static/a');
  });

  it('escapes all characters that a shell would interpret', () => {
    expect(publishLines('rtmp://h/a/b?password=$x').ffmpeg).toContain('\\$x');
  });
});
