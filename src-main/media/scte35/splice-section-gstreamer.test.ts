import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requirePeer } from '../../../scripts/setup-peers.ts';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import { MpegTsWriter } from '../containers/mpegts/writer.ts';
import { makeCancelSection, makeSpliceSection } from './splice-section.ts';
import { shiftSpliceSection, writeSpliceInfo } from './splice-info.ts';

const SCRIPT = join(import.meta.dirname, '../../../tests/helpers/scte35-of.py');

/** Sections that GStreamer reads from a transport stream. */
function readByGStreamer(sections: readonly Uint8Array[]): unknown[] {
  const media = testMedia();
  const writer = new MpegTsWriter([media.video, media.audio], { hasSplices: true });
  for (const [index, unit] of [...media.units(3, 900_000)].entries()) {
    const section = index % 20 === 0 ? sections[index / 20 - 1] : undefined;
    if (section) writer.splice(section);
    writer.accessUnit(unit);
  }
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-scte35-'));
  try {
    const file = join(folder, 'splices.ts');
    writeFileSync(file, writer.take());
    const { stdout, stderr, status } = spawnSync(requirePeer('scte35-reader'), [SCRIPT, file], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('GStreamer reads the generated sections with the intended values', () => {
  const out = makeSpliceSection({ eventId: 0xfedcba98, isOut: true, durationMs: 4000, ptsTicks: 2 ** 33 - 5 });
  const sections = [
    out,
    shiftSpliceSection(out, 90_000),
    makeSpliceSection({ eventId: 6, isOut: false, ptsTicks: 990_000 }),
    makeCancelSection(7),
    writeSpliceInfo({
      sapType: 3,
      ptsAdjustmentTicks: 0,
      cwIndex: 0,
      tier: 0xfff,
      command: { type: 'time-signal', ptsTicks: 1_234_567_890 },
      descriptors: [],
    }),
  ];
  const event = { isCancel: false, isOut: true, isImmediate: false, isAutoReturn: true, duration: 360_000 };
  const first = { id: 0xfedcba98, ...event, ticks: 2 ** 33 - 5 };
  expect(readByGStreamer(sections)).toMatchObject([
    { command: 'insert', adjustment: 0, events: [first] },
    { command: 'insert', adjustment: 90_000, events: [{ id: 0xfedcba98 }] },
    { command: 'insert', events: [{ id: 6, isOut: false, ticks: 990_000, duration: null }] },
    { command: 'insert', events: [{ id: 7, isCancel: true }] },
    { command: 'time', ticks: 1_234_567_890 },
  ]);
});
