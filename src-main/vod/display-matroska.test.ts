import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { ClipFiles } from '../../tests/helpers/clip-files.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { displayOf } from '../media/display.ts';
import { OpenFiles } from './thread/open-files.ts';

const clips = new ClipFiles();
const files = new OpenFiles({ clock: new FakeClock() });
files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 2000 }]);

afterAll(async () => {
  await files.close();
  clips.close();
});

describe('the display size of a Matroska file', () => {
  // The bitstream has square samples.
  it.each([
    ['unchanged', [], 160, 90],
    ['stated by the container', ['-aspect', '4:3'], 120, 90],
  ])('is that of the container or the pictures: %s', async (name, options, width, height) => {
    const plain = clips.add('plain.mkv', { seconds: 4 });
    const path = clips.path(`${name}.mkv`);
    execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-i', plain, '-c', 'copy', ...options, '-y', path]);
    const found = await files.open(`clips/${name}.mkv`);
    const track = 'code' in found ? undefined : found.window.tracks[0]?.track;
    expect(track?.content === 'video' && displayOf(track)).toEqual({ rotationDegrees: 0, width, height });
  });
});
