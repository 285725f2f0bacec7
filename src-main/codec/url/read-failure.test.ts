import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';
import { FfmpegLog, openFailure } from './read-failure.ts';

function failure(
  kind: Parameters<typeof openFailure>[0],
  line: string,
  errno = constants.errno.EPROTONOSUPPORT,
): ReturnType<typeof openFailure> {
  const log = new FfmpegLog();
  log.read(line);
  return openFailure(kind, -errno, log, 10_000);
}

describe('openFailure', () => {
  it.each([
    ['rtsp', 'method SETUP failed: 461 (Unsupported transport)', 'input_refused', 'transport=udp'],
    ['rtsp', 'method DESCRIBE failed: 401 Unauthorized', 'input_refused', 'password'],
    ['rtsp', 'method DESCRIBE failed: 404 Not Found', 'input_refused', 'refused'],
    ['rtmp', 'Connection refused', 'input_unreachable', 'No connection'],
  ] as const)('for %s with the message "%s" returns %s', (kind, line, code, word) => {
    const end = failure(kind, line);
    expect(end.code).toBe(code);
    expect(end.detail).toContain(word);
  });
});

it("openFailure reports once why no connection was made, without FFmpeg's form of the address", () => {
  const log = new FfmpegLog();
  log.read('Connection to tcp://192.0.2.9:554?timeout=20000000 failed: Connection refused\n');
  expect(openFailure('rtsp', -constants.errno.ECONNREFUSED, log, 10)).toEqual({
    code: 'input_unreachable',
    ...because('no_connection', { explanation: { detail: 'Connection refused' } }),
  });
});
