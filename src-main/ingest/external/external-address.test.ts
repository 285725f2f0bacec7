import { describe, expect, it } from 'vitest';
import { parseExternalAddress } from './external-address.ts';

describe('addresses read by another process', () => {
  it.each([
    ['rtsp://host/cam', {}, { kind: 'rtsp', url: 'rtsp://host/cam', options: { transport: 'tcp' } }],
    [
      'rtsp://u:p@192.0.2.1:8554/a/b?channel=1&subtype=0',
      { transport: 'udp', user_agent: 'x' },
      {
        kind: 'rtsp',
        url: 'rtsp://u:p@192.0.2.1:8554/a/b?channel=1&subtype=0',
        options: { transport: 'udp', userAgent: 'x' },
      },
    ],
    [
      'rtsps://[2001:db8::1]:322/cam',
      {},
      { kind: 'rtsp', url: 'rtsps://[2001:db8::1]:322/cam', options: { transport: 'tcp' } },
    ],
    [
      'rtsps://host/cam',
      { insecure: 'true' },
      { kind: 'rtsp', url: 'rtsps://host/cam', options: { transport: 'tcp', isInsecure: true } },
    ],
    [
      'rtmps://host/live/key',
      { insecure: 'true' },
      { kind: 'rtmp', url: 'rtmps://host/live/key', options: { isInsecure: true } },
    ],
    ['rtmp://host/live/key', { transport: 'udp' }, { kind: 'rtmp', url: 'rtmp://host/live/key', options: {} }],
    ['srt://host:9000', {}, { kind: 'srt', url: 'srt://host:9000', options: { mode: 'caller' } }],
    ['srt://:9000', {}, { kind: 'srt', url: 'srt://0.0.0.0:9000', options: { mode: 'listener' } }],
    [
      'srt://host:9000?mode=rendezvous&streamid=%23!::r=cam1,m=request&latency=200&pbkeylen=32&passphrase=a+b%20c%26d-long',
      {},
      {
        kind: 'srt',
        url: 'srt://host:9000',
        options: {
          mode: 'rendezvous',
          streamId: '#!::r=cam1,m=request',
          latencyMs: 200,
          keyBytes: 32,
          passphrase: 'a+b c&d-long',
        },
      },
    ],
    [
      'srt://host:9000?streamid=#!::r=cam1',
      {},
      { kind: 'srt', url: 'srt://host:9000', options: { mode: 'caller', streamId: '#!::r=cam1' } },
    ],
    [
      'srt://host:9000?passphrase=verysecret1',
      { passphrase: 'verysecret2' },
      { kind: 'srt', url: 'srt://host:9000', options: { mode: 'caller', passphrase: 'verysecret2' } },
    ],
  ])('are parsed: %s', (url, options, address) => {
    expect(parseExternalAddress(url, options)).toEqual(address);
  });

  it.each([
    ['rtsp:///cam', {}, /host/],
    ['rtsps://host/cam', { insecure: 'maybe' }, /insecure/],
    ['rtsp://host:0/cam', {}, /port/],
    ['rtsp://host:99999/cam', {}, /port/],
    ['rtsp://host/cam', { transport: 'http' }, /tcp, udp/],
    ['srt://host', {}, /port/],
    ['srt://:9000?mode=caller', {}, /host/],
    ['srt://host:9000?mode=server', {}, /caller, listener/],
    ['srt://host:9000?passphrase=short', {}, /10 to 79/],
    ['srt://host:9000?latency=fast', {}, /milliseconds/],
    ['srt://host:9000?pbkeylen=20', {}, /16, 24, 32/],
    ['srt://host:9000', { streamid: 'x'.repeat(513) }, /512/],
    ['http://host/', {}, /invalid/],
  ])('are refused: %s %o', (url, options: Record<string, string>, detail) => {
    const refused = parseExternalAddress(url, options);
    expect(refused).toMatchObject({ code: 'bad_input_url' });
    expect('detail' in refused && refused.detail).toMatch(detail);
  });
});
