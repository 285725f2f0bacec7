import { expect, it } from 'vitest';
import { parseConfig } from '../../../tests/helpers/parse-config.ts';

it('an option of a push that its address does not use is kept, with a warning', () => {
  const { warnings, config } = parseConfig(`stream a {
push rtmp://h/live/key ttl=4 bitrate=5000;
push udp://239.0.0.1:1234 ttl=4 bitrate=5000;
}`);
  expect(warnings.map(({ line, column, code, message }) => `${line}:${column} ${code} ${message}`)).toEqual([
    '2:24 config_not_effective rtmp:// has no option ttl: it is kept, without effect',
    '2:30 config_not_effective rtmp:// has no option bitrate: it is kept, without effect',
  ]);
  expect(config?.streams.get('a')?.pushes.map(({ ttl }) => ttl)).toEqual([4, 4]);
});

it('the name of a boolean option alone switches it on', () => {
  const { errors, warnings, config } = parseConfig(`stream a {
push rtmp://h/live/key disabled retry_timeout=10;
push udp://239.0.0.1:1234 standby bitrate=5000;
}`);
  expect([errors, warnings]).toEqual([[], []]);
  expect(config?.streams.get('a')?.pushes.map(({ isDisabled, isStandby }) => [isDisabled, isStandby])).toEqual([
    [true, null],
    [null, true],
  ]);
});
