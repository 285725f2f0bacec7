import { describe, expect, it } from 'vitest';
import { maskSecrets } from './mask-secrets.ts';

describe('masking of secrets', () => {
  it.each([
    ['rtsp://user:secret@host:554/cam?channel=1', 'rtsp://***@host:554/cam?channel=1'],
    ['rtsp://user:s@cret@host/cam', 'rtsp://***@host/cam'],
    ['rtmps://u:p@[2001:db8::1]/app/key', 'rtmps://***@[2001:db8::1]/app/key'],
    [
      'Connection to tcp://u:p@host:1 failed, tried srt://h:1?passphrase=verysecret&mode=caller',
      'Connection to tcp://***@host:1 failed, tried srt://h:1?passphrase=***&mode=caller',
    ],
    ['srt://h:1?mode=caller passphrase=verysecret latency=20', 'srt://h:1?mode=caller passphrase=*** latency=20'],
    ['https://host/a?Token=abc&x=1', 'https://host/a?Token=***&x=1'],
    ['udp://source@232.0.0.1:1234', 'udp://source@232.0.0.1:1234'],
    ['udp://@:1234', 'udp://@:1234'],
    ['mail to a@b, no address', 'mail to a@b, no address'],
    ['file:///media/a@b/clip.mkv', 'file:///media/a@b/clip.mkv'],
  ])('%s', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });
});
