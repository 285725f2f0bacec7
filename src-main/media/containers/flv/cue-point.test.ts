import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordingSink } from '../../../../tests/helpers/recording-sink.ts';
import { spliceInsert } from '../../../../tests/helpers/splice-sections.ts';
import { testMedia } from '../../../../tests/helpers/test-media.ts';
import { readSpliceInfo } from '../../scte35/splice-info.ts';
import { readSplicePoint, spliceTimeOf } from '../../scte35/splice-point.ts';
import { amfObject, writeAmf0 } from '../rtmp/amf0.ts';
import type { AmfValue } from '../rtmp/amf0.ts';
import { writeOldVideoTag } from './video-tag.ts';
import { FlvTagReader } from './flv-tag-reader.ts';

const media = testMedia();
type Fields = Readonly<Record<string, AmfValue>>;

/** Reader after ten seconds of video, with the splices it has read from data messages. */
class Trial {
  readonly sink = new RecordingSink();
  readonly #reader = new FlvTagReader(this.sink);

  constructor(startMs = 0) {
    const video = { codec: 'avc1', isKeyFrame: true, compositionTimeMs: 0 } as const;
    this.#reader.push(9, startMs, writeOldVideoTag({ ...video, kind: 'config', data: media.video.decoderConfig }));
    for (const { trackId, dtsTicks, isRandomAccess, data } of media.units(10))
      if (trackId === 'v1')
        this.#reader.push(
          9,
          (startMs + Math.round(dtsTicks / 90)) >>> 0,
          writeOldVideoTag({ ...video, kind: 'frame', isKeyFrame: isRandomAccess, data }),
        );
  }

  data(timestampMs: number, ...values: readonly AmfValue[]): this {
    this.#reader.push(18, timestampMs >>> 0, writeAmf0(values));
    return this;
  }

  /** Kind, event id, milliseconds from the first picture, and duration in milliseconds. */
  get splices(): (string | number | null)[][] {
    const first = this.sink.units('v1')[0]?.ptsTicks ?? 0;
    return this.sink.calls.flatMap((call) => {
      const info = 'splice' in call && readSpliceInfo(call.splice.section);
      if (!info) return [];
      const { kind, eventId, durationMs } = readSplicePoint(info);
      return [[kind, eventId, (spliceTimeOf(info, call.splice) - first) / 90, durationMs]];
    });
  }
}

function elemental(fields: Fields): AmfValue {
  return amfObject({
    type: 'scte35',
    parameters: amfObject({ messageType: 'scte35', splice_command_type: 5, ...fields }),
  });
}

describe('cue points of an encoder', () => {
  it('are read from onAdCue in its simple form, with the time they state', () => {
    const cue = { id: '12', duration: 30, time: 14.5 };
    const { splices } = new Trial()
      .data(9960, 'onAdCue', amfObject({ type: 'SpliceOut', ...cue }))
      .data(9970, 'onAdCue', amfObject({ type: 'SpliceOut', ...cue, elapsed: 0 }))
      .data(9980, '@setDataFrame', 'onAdCue', amfObject({ type: 'SpliceIn', id: '12', time: 9.98 }));
    expect(splices).toEqual([
      ['out', 12, 14_500, 30_000],
      ['in', 12, 9980, null],
    ]);
  });

  it('are read from onAdCue with a section, whose time may be on another clock', () => {
    const cue = Buffer.from(spliceInsert({ eventId: 99, ptsTicks: 5, durationMs: 8000 })).toString('base64');
    const { splices, sink } = new Trial()
      .data(9960, 'onAdCue', amfObject({ type: 'scte35', cue, id: 'a', duration: 8, time: 12 }))
      .data(9970, 'onAdCue', amfObject({ type: 'scte35', cue: '/DAx', id: 'b', duration: 0, time: 12 }));
    expect(splices).toEqual([['out', 99, 12_000, 8000]]);
    expect(sink.problems.map(({ code }) => code)).toEqual(['rtmp_bad_cue_point']);
  });

  it('are read from onCuePoint with the fields of a splice_insert, at the end of their pre-roll', () => {
    const out = { splice_event_id: 7, out_of_network_indicator: true, pre_roll_time: 4000, break_duration: 30_000 };
    const { splices } = new Trial()
      .data(9960, 'onCuePoint', elemental(out))
      .data(
        9980,
        'onCuePoint',
        elemental({ splice_event_id: 7, out_of_network_indicator: false, splice_immediate: true }),
      );
    expect(splices).toEqual([
      ['out', 7, 13_960, 30_000],
      ['in', 7, 9980, null],
    ]);
  });

  it('are read from onCuePoint with only a duration', () => {
    const parameters = amfObject({ type: 'ad', duration: '15.5' });
    const { splices } = new Trial().data(
      9960,
      'onCuePoint',
      amfObject({ name: 'scte35', type: 'event', time: 11, parameters }),
    );
    expect(splices).toEqual([['out', 11, 11_000, 15_500]]);
  });

  it('have the time of their message if their own time is on another clock, and the media time if the message has no time', () => {
    const cue = amfObject({ type: 'SpliceOut', id: '1', duration: 1, time: 1_700_000_000 });
    expect(new Trial().data(9960, 'onAdCue', cue).splices).toEqual([['out', 1, 9960, 1000]]);
    // 32-bit timestamps wrap within these ten seconds.
    expect(new Trial(2 ** 32 - 5000).data(4960, 'onAdCue', cue).splices).toEqual([['out', 1, 9960, 1000]]);
    expect(new Trial(600_000).data(0, 'onAdCue', cue).splices).toEqual([['out', 1, 9960, 1000]]);
  });

  it('are not read from other messages, which are for players', () => {
    const { splices, sink } = new Trial()
      .data(9960, 'onCuePoint', amfObject({ name: 'chapter', type: 'navigation', time: 3, parameters: amfObject({}) }))
      .data(
        9960,
        'onCuePoint',
        amfObject({ name: 'poll', type: 'event', time: 3, parameters: amfObject({ text: 'x' }) }),
      )
      .data(9960, 'onTextData', amfObject({ text: 'hello' }))
      .data(9960, 'onAdCue', amfObject({ type: 'other' }))
      .data(9960, 'onAdCue', 7)
      .data(9960, 'onCuePoint');
    expect(splices).toEqual([]);
    expect(sink.problems).toEqual([]);
  });

  it('are refused if the break started longer ago than the maximum duration', () => {
    const trial = new Trial();
    trial.data(1000, 'onAdCue', amfObject({ type: 'SpliceOut', id: 'a', elapsed: 2e289 }));
    expect([trial.splices.length, trial.sink.problems.length]).toEqual([0, 1]);
  });

  it('never throw, for any content', () => {
    const value = fc.oneof(fc.double(), fc.string(), fc.boolean(), fc.constant(null), fc.constant(undefined));
    const names = [
      'type',
      'cue',
      'id',
      'duration',
      'elapsed',
      'time',
      'out_of_network_indicator',
      'pre_roll_time',
      'break_duration',
    ];
    const fields = fc.dictionary(fc.constantFrom(...names), value);
    const trial = new Trial();
    fc.assert(
      fc.property(fc.constantFrom('onAdCue', 'onCuePoint'), fields, fields, (name, own, inner) => {
        const type = fc.sample(fc.constantFrom('SpliceOut', 'scte35', 'event'), 1)[0] ?? '';
        trial.data(9960, name, amfObject({ type, ...own, parameters: amfObject(inner) }));
      }),
    );
    for (const [, , atMs] of trial.splices) expect(Math.abs(Number(atMs) - 9960)).toBeLessThanOrEqual(86_400_000);
  });
});
