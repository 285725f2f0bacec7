import { describe, expect, it } from 'vitest';
import { readerAddress, readerText } from './reader-address.ts';

describe('readerAddress', () => {
  it.each([
    ['rtsp://192.0.2.1:554/cam', 'rtsp://192.0.2.1:554/cam'],
    ['rtsp://user:word@cam.example.org/a/b?x=1#y', 'rtsp://cam.example.org/a/b'],
    ['rtsp://user:wo@rd@cam.example.org/a', 'rtsp://cam.example.org/a'],
    ['rtsp://user:wo/rd@cam.example.org/a', 'rtsp://********'],
    ['rtsp://user:12/34@cam.example.org/a', 'rtsp://********'],
    ['rtsp://user:12?34@cam.example.org/a', 'rtsp://********'],
    ['rtsp://user:wo#rd@cam.example.org/a', 'rtsp://********'],
    ['rtmp://192.0.2.1/live/key', 'rtmp://192.0.2.1/live/********'],
    ['http://192.0.2.1/user/word/7.ts', 'http://192.0.2.1/user/********/7.ts'],
    ['hls://192.0.2.1/hls/a8Fk3Lq9/index.m3u8', 'hls://192.0.2.1/hls/********/index.m3u8'],
    ['RTMPS://192.0.2.1/live/key?k=1', 'RTMPS://192.0.2.1/live/********'],
    ['rtmp://192.0.2.1/live/', 'rtmp://192.0.2.1/live/'],
    ['srt://192.0.2.1:9000?streamid=#!::r=a', 'srt://192.0.2.1:9000'],
    ['udp://192.0.2.5@239.0.0.1:5000', 'udp://239.0.0.1:5000'],
    ['hls://[2001:db8::1]:8080/a.m3u8;id=7', 'hls://[2001:db8::1]:8080/a.m3u8'],
    ['file:///srv/clip.ts?loop=true', 'file:///srv/clip.ts'],
    ['publish://', 'publish://'],
    ['fake://?text=word', 'fake://'],
    ['copy://стрим/2', 'copy://стрим/2'],
    ['no address', '********'],
  ])('shows %s as %s', (address, shown) => {
    expect(readerAddress(address)).toBe(shown);
  });

  it('shows only scheme and host of push targets', () => {
    expect(readerAddress('https://hooks.example.org/services/T1/B2/word', 'host')).toBe('https://hooks.example.org');
  });
});

describe('readerText', () => {
  it.each([
    ['nothing to hide', 'nothing to hide'],
    ['GET https://u:p@a.example.org/x?y=1 failed', 'GET https://a.example.org failed'],
    ['"rtmp://a/live/key": no; http://b/c', '"rtmp://a": no; http://b'],
    ['://', '********'],
  ])('shows no secret of %j', (text, shown) => {
    expect(readerText(text)).toBe(shown);
  });

  it('limits the length of its result for long texts', () => {
    const long = 'a'.repeat(200_000);
    expect(readerText(long)).toBe(long);
    expect(readerText('://'.repeat(50_000)).length).toBeLessThan(1_000_000);
  });
});
