import { describe, expect, it } from 'vitest';
import { ffmpegOptions, isOverTls, type UrlKind } from './url-options.ts';

describe('ffmpegOptions', () => {
  // An opened address may refer to other addresses. None of them may lead to a file, or from a file to the network.
  it.each<[UrlKind, readonly string[]]>([
    ['rtsp', ['rtsp', 'rtsps', 'tls', 'tcp', 'udp', 'rtp']],
    ['rtmp', ['rtmp', 'rtmps', 'tls', 'tcp']],
    ['srt', ['srt']],
    ['file', ['file']],
    ['sdp', ['file', 'rtp', 'udp']],
  ])('for %s allow only the needed protocols', (kind, protocols) => {
    expect(ffmpegOptions(kind, {})['protocol_whitelist']?.split(',')).toEqual(protocols);
  });

  it('for files exclude formats that refer to other files', () => {
    const formats = ffmpegOptions('file', {})['format_whitelist']?.split(',') ?? [];
    expect(formats).toContain('matroska');
    for (const format of [
      'hls',
      'dash',
      'concat',
      'sdp',
      'rtsp',
      'image2',
      'lavfi',
      'imf',
      'ffmetadata',
      'applehttp',
    ]) {
      expect(formats).not.toContain(format);
    }
  });

  it.each<UrlKind>(['rtsp', 'rtmp'])('for %s check certificates if a CA file is given', (kind) => {
    expect(ffmpegOptions(kind, {}, '/ca.pem')).toMatchObject({ tls_verify: '1', ca_file: '/ca.pem' });
    expect(ffmpegOptions(kind, {})).not.toHaveProperty('tls_verify');
  });

  it('for RTSP use TCP and the timeout in microseconds', () => {
    expect(ffmpegOptions('rtsp', {})).toMatchObject({ rtsp_transport: 'tcp', timeout: '20000000' });
    expect(ffmpegOptions('rtsp', {})).not.toHaveProperty('user_agent');
    expect(ffmpegOptions('rtsp', { transport: 'udp', userAgent: 'wall' })).toMatchObject({
      rtsp_transport: 'udp',
      user_agent: 'wall',
    });
  });

  it('for SRT contain the configured values, and omit the rest', () => {
    expect(Object.keys(ffmpegOptions('srt', {})).sort()).toEqual([
      'connect_timeout',
      'mode',
      'protocol_whitelist',
      'raw_packet_size',
      'timeout',
    ]);
    const all = {
      mode: 'listener',
      streamId: '#!::r=a',
      passphrase: 'long enough',
      keyBytes: 32,
      latencyMs: 300,
    } as const;
    expect(ffmpegOptions('srt', all)).toMatchObject({
      mode: 'listener',
      streamid: '#!::r=a',
      passphrase: 'long enough',
      pbkeylen: '32',
      latency: '300000',
      connect_timeout: '5000',
    });
  });
});

it.each([
  ['rtsps://a/b', true],
  ['RTMPS://a/b', true],
  ['rtsp://rtsps://', false],
  ['rtmp://a', false],
])('isOverTls(%s) is %s', (url, isTls) => {
  expect(isOverTls(url)).toBe(isTls);
});
