import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RecordingInput } from '../../../tests/helpers/recording-input.ts';
import { AllowedPaths } from '../../lib/allowed-paths.ts';
import type { Clock } from '../../lib/clock.ts';
import { ClipFolder, H264 } from '../../../tests/helpers/clip-folder.ts';
import { PlaylistInput, type PlaylistInputOptions } from './playlist-input.ts';

const AAC = ['-c:a', 'aac', '-ac', '2'];
const folder = new ClipFolder();
afterAll(() => {
  folder.close();
});
folder.make('one.mp4', [...H264, ...AAC], 1);
folder.make('two.mp4', [...H264, ...AAC], 2);
folder.make('three.ts', [...H264, ...AAC], 1);
folder.make('small.mp4', [...H264, '-vf', 'scale=128:72', '-an'], 1);

/** Clock whose time passes only during a wait, and then instantly. */
class WaitedClock implements Clock {
  #now = 1_800_000_000_000;

  now(): number {
    return this.#now;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = setImmediate(() => {
      this.#now += delayMs;
      callback();
    });
    return () => {
      clearImmediate(timer);
    };
  }
}

function list(name: string, ...lines: string[]): string {
  const path = join(folder.path, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

interface Playing {
  readonly sink: RecordingInput;
  readonly input: PlaylistInput;
  readonly clock: Clock;
}

function open(
  path: string,
  options: Partial<PlaylistInputOptions> = {},
  onUnit: (playing: Playing) => void = () => undefined,
): Playing {
  const sink = new RecordingInput();
  const clock = new WaitedClock();
  const playing: Playing = {
    sink,
    clock,
    input: new PlaylistInput({ path, root: folder.path, clock, ...options }, sink),
  };
  const keep = sink.accessUnit.bind(sink);
  sink.accessUnit = (unit) => {
    onUnit(playing);
    keep(unit);
  };
  playing.input.start();
  return playing;
}

/** Longest step between presentation times of a track, in milliseconds. */
function longestStep(sink: RecordingInput, trackId: string): number {
  const times = sink
    .units(trackId)
    .map(({ ptsTicks }) => ptsTicks / 90)
    .sort((a, b) => a - b);
  return Math.max(...times.map((time, index) => time - (times[index - 1] ?? time)));
}

describe('a playlist entry of a VOD location', () => {
  it('is found in the folders of its prefix, and cannot leave them', async () => {
    mkdirSync(join(folder.path, 'films/more'), { recursive: true });
    copyFileSync(join(folder.path, 'one.mp4'), join(folder.path, 'films/more/first.mp4'));
    symlinkSync(join(folder.path, 'two.mp4'), join(folder.path, 'films/out.mp4'));
    const allowed = new AllowedPaths(join(folder.path, 'elsewhere'));
    allowed.set([], new Map([['vod/films', [join(folder.path, 'nothing'), join(folder.path, 'films')]]]));
    const entries = [
      'vod/films/more/first.mp4',
      'vod/films/out.mp4',
      'vod/films/../two.mp4',
      'vod/films/.x.mp4',
      'films/more/first.mp4',
    ];
    const root = join(folder.path, 'elsewhere');
    const { locate: locateEntry, locateNamed } = allowed;
    const { sink, input } = open(list('named.m3u', ...entries), { root, locateEntry, locateNamed, loop: false });
    expect(await sink.end()).toMatchObject({ code: 'input_ended' });
    expect(sink.units('v1')).toHaveLength(25);
    expect(sink.problems.map(({ code }) => code)).toEqual(Array(4).fill('playlist_entry_skipped'));
    await input.close();
  });
});

describe('playlist input', () => {
  it('joins files without a gap, and announces no tracks again if the format stays the same', async () => {
    const { sink, clock } = open(list('join.txt', '# three clips', 'one.mp4', 'two.mp4', 'one.mp4'), { loop: false });
    const startMs = clock.now();
    expect(await sink.end()).toEqual({ code: 'input_ended', ...because('list_ended') });
    expect(sink.problems).toEqual([]);
    expect(sink.units('v1')).toHaveLength(100);
    expect(longestStep(sink, 'v1')).toBeLessThanOrEqual(40 + 22);
    expect(longestStep(sink, 'a1')).toBeLessThanOrEqual(22 + 22);
    const decoding = sink.units('v1').map(({ dtsTicks }) => dtsTicks);
    expect(decoding.every((ticks, index) => index === 0 || ticks > (decoding[index - 1] ?? NaN))).toBe(true);
    // The elapsed time equals the media time, however many files were played.
    const lastMs = Math.max(...sink.units().map(({ dtsTicks }) => dtsTicks / 90));
    expect(Math.abs(clock.now() - startMs - lastMs)).toBeLessThan(150);
  });

  it('continues with another container, and announces the tracks of a new format', async () => {
    const { sink } = open(list('mixed.txt', 'one.mp4', 'small.mp4', 'three.ts'), { loop: false });
    await sink.end();
    const sizes = sink.announcements.map((tracks) =>
      tracks.map((track) => (track.content === 'video' ? track.width : track.codec)),
    );
    expect(sizes).toEqual([[160, 'aac'], [128], [160, 'aac']]);
    expect(longestStep(sink, 'v1')).toBeLessThanOrEqual(40 + 45);
  });

  it('skips unplayable entries, and reports them', async () => {
    mkdirSync(join(folder.path, 'folder'), { recursive: true });
    const { sink } = open(list('odd.txt', 'missing.mp4', 'one.mp4', '../outside.mp4', 'folder', 'one.mp4'), {
      loop: false,
    });
    await sink.end();
    expect(sink.units('v1')).toHaveLength(50);
    expect(sink.problems).toEqual(
      [
        { number: 1, code: 'input_file_not_found' },
        { number: 3, code: 'bad_input_url' },
        { number: 4, code: 'input_unreadable' },
      ].map((facts) => ({ code: 'playlist_entry_skipped', ...because('playlist_entry_failed', facts) })),
    );
  });

  it('plays nothing outside of the allowed folders, whatever the list contains', async () => {
    const root = join(folder.path, 'allowed');
    mkdirSync(root);
    copyFileSync(join(folder.path, 'one.mp4'), join(root, 'in.mp4'));
    symlinkSync(join(folder.path, 'two.mp4'), join(root, 'link.mp4'));
    const allowed = new AllowedPaths(root);
    const options = { root, loop: false, locate: allowed.locateConfigured, locateEntry: allowed.locate };
    // The owner of the configuration may place the list anywhere. Its entries are checked.
    const written = list('outside.txt', join(folder.path, 'two.mp4'), 'link.mp4', 'in.mp4', '/etc/no-such-file');
    const { sink } = open(written, options);
    await sink.end();
    expect(sink.units('v1')).toHaveLength(25);
    expect(sink.problems.map(({ detail }) => detail)).toEqual(
      [1, 2, 4].map((place) => `Entry ${place} of the playlist was skipped (path_not_allowed)`),
    );
    symlinkSync(written, join(root, 'list.txt'));
    expect(await open('list.txt', options).sink.end()).toMatchObject({ code: 'path_not_allowed' });
  });

  it('reveals nothing of a file that is not a playlist', async () => {
    const shown: unknown[] = [];
    const { sink, input } = open(list('shadow', 'root:$6$secret:19000::', 'daemon:*:19000::'), { loop: false });
    const watch = setInterval(() => shown.push(input.state), 1);
    await sink.end();
    clearInterval(watch);
    shown.push(sink.problems, sink.ends);
    expect(JSON.stringify(shown)).not.toMatch(/root|secret|daemon/);
    expect(sink.problems).toHaveLength(2);
  });

  it('restarts at the end of the list, and reports the current entry', async () => {
    const states = new Map<string, number>();
    const { sink, input } = open(list('loop.txt', 'one.mp4', 'three.ts'), {}, ({ input: playing }) => {
      const { currentEntry, positionMs, durationMs, currentType } = playing.state ?? {};
      states.set(
        `${currentEntry ?? ''} ${currentType ?? ''} ${String(durationMs)}`,
        Math.max(positionMs ?? 0, states.get(String(currentEntry)) ?? 0),
      );
    });
    await sink.until(() => sink.units('v1').length > 110);
    await input.close();
    expect(sink.ends).toEqual([]);
    // The header of an MP4 file states its duration. The duration of a transport stream is known from the second pass
    // on.
    expect([...states.keys()]).toEqual([
      'one.mp4 file 1000',
      'three.ts file null',
      expect.stringMatching(/^three\.ts file 10\d\d$/),
    ]);
    expect(states.get('one.mp4 file 1000')).toBeGreaterThan(0);
    expect(input.state).toBeUndefined();
  });

  it('reports the last entry until the next one has started', async () => {
    const states: unknown[] = [];
    const playing = open(list('pause.txt', 'one.mp4', 'missing.mp4', 'three.ts'), {
      loop: false,
      locateEntry: (path) => {
        states.push(playing.input.state);
        return Promise.resolve(path);
      },
    });
    await playing.sink.end();
    await playing.input.close();
    const atEnd = {
      currentEntry: 'one.mp4',
      currentType: 'file',
      durationMs: 1000,
      positionMs: expect.any(Number) as number,
    };
    expect(states).toEqual([undefined, atEnd, atEnd]);
  });

  it('rereads the list after each entry, and continues after the entry just played', async () => {
    const path = list('change.txt', 'one.mp4', 'two.mp4');
    let isChanged = false;
    const entries: string[] = [];
    const { sink } = open(path, { loop: false }, ({ input }) => {
      const entry = input.state?.currentEntry ?? '';
      if (entries.at(-1) !== entry) entries.push(entry);
      if (isChanged) return;
      isChanged = true;
      list('change.txt', '# new', 'small.mp4', 'one.mp4', 'three.ts');
    });
    await sink.end();
    expect(entries).toEqual(['one.mp4', 'three.ts']);
  });

  it('ends if there is nothing to play', async () => {
    const codes: string[] = [];
    for (const path of [
      'nowhere.txt',
      '../outside.txt',
      list('empty.txt', '# nothing'),
      list('gone.txt', 'a.mp4', 'b.mp4'),
    ]) {
      codes.push((await open(path).sink.end()).code);
    }
    expect(codes).toEqual(['input_file_not_found', 'bad_input_url', 'input_no_tracks', 'input_no_tracks']);
  });

  it('emits nothing after close', async () => {
    const { sink, input } = open(list('close.txt', 'two.mp4'));
    await sink.until(() => sink.units().length > 5);
    await input.close();
    const seen = sink.calls.length;
    await input.close();
    expect(sink.calls).toHaveLength(seen);
    expect(sink.ends).toEqual([]);
  });
});
