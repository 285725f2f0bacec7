import { expect, it } from 'vitest';
import { ffprobe } from '../../../tests/helpers/ffmpeg-media.ts';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import { MpegTsWriter } from '../containers/mpegts/writer.ts';
import { makeSpliceSection } from './splice-section.ts';

it('ffprobe finds generated sections in a stream of scte_35, byte for byte', () => {
  const media = testMedia();
  const writer = new MpegTsWriter([media.video, media.audio], { hasSplices: true });
  const sections = [5, 6].map((eventId) =>
    Buffer.from(makeSpliceSection({ eventId, isOut: eventId === 5, durationMs: 4000, ptsTicks: 990_000 + eventId })),
  );
  for (const [index, unit] of [...media.units(4, 900_000)].entries()) {
    if (index === 40 || index === 80) writer.splice(sections[index / 40 - 1] ?? new Uint8Array());
    writer.accessUnit(unit);
  }
  const shown = ffprobe(writer.take(), [
    '-select_streams',
    'd',
    '-show_streams',
    '-show_packets',
    '-show_data',
    '-of',
    'default',
  ]);
  expect(shown).toContain('codec_name=scte_35');
  // Lines of a dump: offset, bytes in hexadecimal, and the same bytes as text.
  const dumps = shown
    .split('[PACKET]')
    .slice(1)
    .map((packet) =>
      [...packet.matchAll(/^[0-9a-f]{8}: ((?:[0-9a-f]{2,4} )+)/gm)]
        .map(([, digits]) => (digits ?? '').replaceAll(' ', ''))
        .join(''),
    );
  expect(dumps).toEqual(sections.map((section) => section.toString('hex')));
});
