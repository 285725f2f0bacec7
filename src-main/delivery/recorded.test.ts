import { expect, it } from 'vitest';
import { readMediaAddress } from './media-address.ts';
import type { StreamOutput } from './stream-output.ts';
import { requestedTimeOf, recordedRequest } from './recorded.ts';

const NOW_MS = 1_800_000_000_000;

it.each([
  ['/cam/index.m3u8', undefined],
  ['/cam/index.m3u8?dvr=60', { fromSeconds: 1_799_999_940, durationSeconds: Infinity }],
  ['/cam/archive-1799000000-60.mp4', { fromSeconds: 1_799_000_000, durationSeconds: 60 }],
  ['/cam/archive-1799000000-now.m3u8', { fromSeconds: 1_799_000_000, durationSeconds: Infinity }],
  ['/cam/timeshift_rel-30.m3u8', { fromSeconds: 1_799_999_970, durationSeconds: Infinity }],
  ['/cam/1799000000-preview.jpg', { fromSeconds: 1_799_000_000, durationSeconds: 1 }],
  ['/cam/preview.jpg', undefined],
  ['/cam/recording_status.json', { fromSeconds: 0, durationSeconds: Infinity }],
  ['/cam/recording_status.json?from=100&to=160', { fromSeconds: 100, durationSeconds: 60 }],
  ['/cam/recording_status.json?xfrom=100&to=now', { fromSeconds: 0, durationSeconds: Infinity }],
] as const)('%s requests the archive time %j', (address, time) => {
  const [path = '', query = ''] = address.split('?');
  const resource = readMediaAddress(path)?.resource;
  if (!resource) throw new Error('no address');
  expect(requestedTimeOf(resource, query, recordedRequest(resource, query, undefined), NOW_MS)).toEqual(time);
});

it.each([
  ['before the live window', -1, true],
  ['at the start of the live window', 0, false],
  ['at the end of the live window', 10_000, false],
  ['far after the live window, from before the clock was set back', 3_600_000, true],
])('a segment %s is served from the archive, or from the live window', (_, afterMs, isRecorded) => {
  const bounds = { fromMs: NOW_MS, toMs: NOW_MS + 10_000 };
  const live = { window: { bounds: () => bounds, segmentByAddress: () => undefined } } as unknown as StreamOutput;
  for (const address of [`/cam/v1/${NOW_MS + afterMs}.m4s`, `/cam/ts/${NOW_MS + afterMs}.ts`]) {
    const resource = readMediaAddress(address)?.resource;
    expect(resource?.kind).toMatch(/segment/);
    expect(resource && recordedRequest(resource, '', live) !== undefined).toBe(isRecorded);
  }
});
