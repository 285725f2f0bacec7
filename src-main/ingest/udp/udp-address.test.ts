import { describe, expect, it } from 'vitest';
import { parseUdpAddress } from './udp-address.ts';

describe('parseUdpAddress', () => {
  it.each([
    ['udp://239.0.0.1:1234', { port: 1234, group: '239.0.0.1', isIpv6: false }],
    ['udp://@239.0.0.1:1234', { port: 1234, group: '239.0.0.1', isIpv6: false }],
    ['udp://192.0.2.7@232.1.2.3:5000', { port: 5000, group: '232.1.2.3', source: '192.0.2.7', isIpv6: false }],
    ['udp://@:1234', { port: 1234, isIpv6: false }],
    ['udp://:1234/', { port: 1234, isIpv6: false }],
    ['rtp://127.0.0.1:5004', { port: 5004, localAddress: '127.0.0.1', isIpv6: false }],
    [
      'udp://239.0.0.1:1234?program=7&interface=eth0',
      { port: 1234, group: '239.0.0.1', networkInterface: 'eth0', program: 7, isIpv6: false },
    ],
    [
      'udp://239.0.0.1:1234?localaddr=192.0.2.1&program=x',
      { port: 1234, group: '239.0.0.1', networkInterface: '192.0.2.1', isIpv6: false },
    ],
    ['udp://[ff05::1]:1234', { port: 1234, group: 'ff05::1', isIpv6: true }],
    ['udp://[::1]:1234', { port: 1234, localAddress: '::1', isIpv6: true }],
  ])('parses %s', (text, expected) => {
    expect(parseUdpAddress(text)).toEqual(expected);
  });

  it.each([
    'udp://',
    'udp://239.0.0.1',
    'udp://239.0.0.1:0',
    'udp://239.0.0.1:70000',
    'udp://camera.example:1234',
    'udp://x@239.0.0.1:1234',
    'tcp://1.2.3.4:5',
    'udp://300.0.0.1:5',
  ])('refuses %s', (text) => {
    expect(parseUdpAddress(text)).toMatchObject({ code: 'bad_input_url' });
  });
});
