import { describe, expect, it } from 'vitest';
import { clipOf, LiveStream } from '../../tests/helpers/ad-windows.ts';
import { renderMpd } from '../packaging/dash/mpd.ts';
import { renderMediaPlaylist } from '../packaging/hls/media-playlist.ts';
import type { SpliceMarks } from '../packaging/hls/splice-marks.ts';
import { StreamOutput } from '../delivery/stream-output.ts';
import { USUAL_RULES } from './decision/ad-decision.ts';
import type { AdOutput } from './ad-output.ts';
import { viewerOutput } from './viewer-output.ts';

// The marks of a break for players and downstream inserters do not depend on the placement of its clips.

/** A stream of 40 s with a break of 8 s at 24 s, whose clips last 3 s and 2 s. */
function output(form: 'separate' | 'in_place', { returnsAt }: { readonly returnsAt?: number } = {}): AdOutput {
  const stream = new LiveStream({ segmentMs: 2000, listed: 12 });
  stream.growTo(10);
  stream.splice('out', 24_000, 8000, { eventId: 7 });
  const clips = new Map([clipOf('a', 3), clipOf('b', 2)].map((clip) => [clip.path, clip]));
  const created = viewerOutput({
    live: new StreamOutput('cam', stream.window),
    decision: {
      form,
      prerolls: [],
      midrolls: ['a', 'b'],
      insertBy: 'splicing',
      intervalMs: undefined,
      rules: USUAL_RULES,
    },
    clips: (path) => clips.get(path) ?? { path, reason: 'clip_not_found', detail: '' },
    delivered: () => undefined,
  });
  for (let count = 10; count < 20; count++) {
    if (returnsAt === count * 2000) stream.splice('in', returnsAt, null, { eventId: 7 });
    stream.grow();
    created.window.segments('v1');
  }
  return created;
}

function marksOf({ window }: AdOutput, marks: SpliceMarks): string[] {
  const text = renderMediaPlaylist(window, { trackId: 'v1', marks }) ?? '';
  return text
    .split('\n')
    .filter((line) => /^#EXT-(X-CUE|OATCLS|X-DATERANGE)|^[a-z0-9-]+\.m4s/.test(line))
    .map((line) => line.replace(/\.m4s.*/, ''));
}

describe.each(['separate', 'in_place'] as const)('a break with clips placed %s', (form) => {
  it('has its cue tags before the segments they belong to', () => {
    const lines = marksOf(output(form), 'aws');
    const out = lines.indexOf('#EXT-X-CUE-OUT:8.000');
    const back = lines.indexOf('#EXT-X-CUE-IN');
    expect(lines[out - 1]).toBe('22000');
    expect(lines[out + 1]).toBe(form === 'separate' ? 'a-24000' : '24000');
    expect(lines[back + 1]).toBe('32000');
    expect(lines.slice(out, back).filter((line) => line.startsWith('#EXT-X-CUE-OUT-CONT'))).toHaveLength(
      form === 'separate' ? 7 : 3,
    );
    expect(marksOf(output(form), 'scte35')).toContain('#EXT-OATCLS-SCTE35:');
  });

  it('has its cue-in at an early return', () => {
    const lines = marksOf(output(form, { returnsAt: 28_000 }), 'aws');
    expect(lines[lines.indexOf('#EXT-X-CUE-IN') + 1]).toBe('28000');
  });

  it('has a date range with the early return', () => {
    const ranges = marksOf(output(form, { returnsAt: 28_000 }), 'rfc8216').filter((line) => line.startsWith('#'));
    expect(ranges).toHaveLength(2);
    expect(ranges[0]).toContain('START-DATE="1970-01-01T00:00:24.000Z",PLANNED-DURATION=8');
    expect(ranges[1]).toContain('DURATION=4,SCTE35-IN');
  });

  it('has its DASH events in the period that contains them', () => {
    const text = renderMpd(output(form, { returnsAt: 28_000 }).window, { nowMs: 40_000 }) ?? '';
    expect(text.match(/<Event /g)).toHaveLength(2);
  });
});
