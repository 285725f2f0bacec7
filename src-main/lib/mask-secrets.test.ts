import { describe, expect, it } from 'vitest';
import { maskSecrets, withoutDiskPaths } from './mask-secrets.ts';

describe('masking of secrets', () => {
  it.each([
    ['rtsp://user:secret@host:554/cam?channel=1', 'rtsp://***@host:554/cam?channel=1'],
    ['rtsp://user:s@cret@host/cam', 'rtsp://***@host/cam'],
    ['rtmps://u:p@[2001:db8::1]/app/key', 'rtmps://***@[2001:db8::1]/app/***'],
    [
      'Connection to tcp://u:p@host:1 failed, tried srt://h:1?passphrase=verysecret&mode=caller',
      'Connection to tcp://***@host:1 failed, tried srt://h:1?passphrase=***&mode=caller',
    ],
    ['srt://h:1?mode=caller passphrase=verysecret latency=20', 'srt://h:1?mode=caller passphrase=*** latency=20'],
    ['https://host/a?Token=abc&x=1', 'https://host/a?Token=***&x=1'],
    ['udp://source@232.0.0.1:1234', 'udp://source@232.0.0.1:1234'],
    ['udp://@:1234', 'udp://@:1234'],
    ['rtmp://host/live/cam-1?x=1', 'rtmp://host/live/***?x=1'],
    ['rtmp://host:1935/app', 'rtmp://host:1935/app'],
    ['https://host/live/4f9a1c0be27d6653/index.m3u8', 'https://host/live/***/index.m3u8'],
    ['hls://host/a/dGhpc0lzQVNlY3JldDE.m3u8', 'hls://host/a/***.m3u8'],
    ['http://host:8080/live/user/pass/1234.ts', 'http://host:8080/live/user/***/1234.ts'],
    [
      'https://hooks.example.com/services/T00000000/B00000000/XyZ0123456789abcdefghijk',
      'https://hooks.example.com/services/T00000000/B00000000/***',
    ],
    ['https://api.example.org/bot110201543:AAHdqTcv-CH1vGWJxf/send', 'https://api.example.org/bot110201543:***/send'],
    [
      'http://host/live/channel-one-2026/tracks-v1a1/index.m3u8',
      'http://host/live/channel-one-2026/tracks-v1a1/index.m3u8',
    ],
    ['http://host/archive-1700000000-3600.m3u8', 'http://host/archive-1700000000-3600.m3u8'],
    ['http://host/20261128180000123/documentaries.mp4', 'http://host/20261128180000123/documentaries.mp4'],
    ['mail to a@b, no address', 'mail to a@b, no address'],
    ['file:///media/a@b/clip.mkv', 'file:///media/a@b/clip.mkv'],
  ])('%s', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it.each([
    [
      "ENOENT: no such file or directory, open '/var/lib/airdesk/x y.csv'",
      "ENOENT: no such file or directory, open '…'",
    ],
    ['cannot open C:\\data\\subscribers.db, code 14', 'cannot open …, code 14'],
    ['/var/lib/airdesk/a.db is locked', '… is locked'],
    ['GET https://host/a/b and 1/2 and/or', 'GET https://host/a/b and 1/2 and/or'],
    ['there is no room', 'there is no room'],
  ])('paths on disk: %s', (text, expected) => {
    expect(withoutDiskPaths(text)).toBe(expected);
  });
});
