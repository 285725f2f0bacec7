import { describe, expect, it } from 'vitest';
import { conditionOf, reasonOf } from './stream-condition.ts';

const problem = { code: 'input_timed_out', detail: 'none for 12 s', at: 1, count: 3 };
const refusal = { code: 'publish_bad_password', detail: 'missing (192.0.2.7:50)', at: 5, count: 3 };
const gone = { code: 'publish_closed', detail: '', at: 6, count: 1 };
const mpeg2 = { content: 'video', codec: 'MPEG-2 video' };
const base = { status: 'running', alive: true, publish_urls: [], problems: [], left_out: [] } as const;
const stream = (change: object): Parameters<typeof conditionOf>[0] => ({
  ...base,
  publish_urls: [],
  problems: [],
  left_out: [],
  ...change,
});

describe('conditionOf and reasonOf', () => {
  it.each([
    ['live', {}, 40, 'live'],
    ['one of its tracks cannot be carried', { left_out: [mpeg2] }, 40, 'partial'],
    [
      'none of its tracks can be carried',
      { alive: false, status: 'error', publish_urls: ['rtmp://h/static/a'], left_out: [mpeg2] },
      null,
      'failed',
    ],
    ['late while still alive', {}, 2_500, 'late'],
    ['lost after frames', { alive: false }, 12_500, 'lost'],
    [
      'lost after a publisher went away',
      { alive: false, status: 'waiting', publish_urls: ['rtmp://h/static/a'] },
      60_000,
      'lost',
    ],
    [
      'waiting for the first encoder',
      { alive: false, status: 'waiting', publish_urls: ['rtmp://h/static/a'] },
      null,
      'waiting',
    ],
    [
      'an encoder was rejected',
      { alive: false, status: 'waiting', publish_urls: ['rtmp://h/static/a'], problems: [refusal, problem] },
      null,
      'refused',
    ],
    [
      'another problem is newer than the rejection of an encoder',
      { alive: false, status: 'waiting', publish_urls: ['rtmp://h/static/a'], problems: [gone, refusal] },
      null,
      'waiting',
    ],
    ['failed before the first frame', { alive: false, status: 'error' }, null, 'failed'],
    ['failed while starting', { alive: false, status: 'waiting', problems: [problem] }, null, 'failed'],
    [
      'reduced to its archive',
      { alive: false, status: 'waiting', publish_urls: ['rtmp://h/live/a'], is_archive_only: true },
      null,
      'archived',
    ],
    ['starting', { alive: false, status: 'waiting' }, null, 'starting'],
  ] as const)('return for a stream: %s', (_, change, age, expected) => {
    expect(conditionOf(stream(change), age)).toBe(expected);
  });

  it('translate the newest problem', () => {
    expect(reasonOf({ problems: [problem] })).toEqual({
      title: 'The input sent no frames in time',
      code: 'input_timed_out',
      detail: 'none for 12 s',
      count: 3,
    });
    expect(reasonOf({ problems: [] }).title).toBe('No picture');
  });
});
