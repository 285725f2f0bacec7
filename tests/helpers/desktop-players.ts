import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requirePeer } from '../../scripts/setup-peers.ts';
import { numberIn, READABLE_SIZE } from './numbered-media.ts';
import { until } from './until.ts';

const run = promisify(execFile);
/** Limit that only prevents hanging. */
const LIMIT_MS = 90_000;

/** Players that people install on their computers. */
export type DesktopPlayer = 'mpv' | 'vlc' | 'obs';

const PLAYERS: Record<DesktopPlayer, (address: string, folder: string, count: number) => Promise<number[]>> = {
  mpv: playByMpv,
  vlc: playByVlc,
  obs: playByObs,
};

/**
 * Numbers of the pictures that a player shows of endless numbered media at an address, in order; -1 for a picture
 * without a number.
 *
 * @param count number of pictures after which the player is ended
 */
export async function numbersShownBy(player: DesktopPlayer, address: string, count: number): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), `airdesk-${player}-`));
  chmodSync(folder, 0o777);
  try {
    return await PLAYERS[player](address, folder, count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function playByMpv(address: string, folder: string, count: number): Promise<number[]> {
  const output = ['--vo=image', '--vo-image-format=png', `--vo-image-outdir=${folder}`, '--ao=null'];
  await run(requirePeer('mpv'), ['--no-config', ...output, `--frames=${count}`, address], { timeout: LIMIT_MS });
  return numbersIn(join(folder, '%08d.png'));
}

async function playByVlc(address: string, folder: string, count: number): Promise<number[]> {
  const scene = ['--scene-format=png', '--scene-ratio=1', '--scene-prefix=picture', `--scene-path=${folder}`];
  const output = ['--no-audio', '--no-osd', '--no-video-title-show', '--vout=vdummy', '--video-filter=scene', ...scene];
  const args = [requirePeer('vlc'), '-I', 'dummy', ...output, '--no-drop-late-frames', '--no-skip-frames', address];
  // VLC does not run as root.
  const user = ['--reuid=65534', '--regid=65534', '--clear-groups', 'env', `HOME=${folder}`, ...args];
  const [program, programArgs] = process.getuid?.() === 0 ? ['setpriv', user] : ['env', args];
  const player = spawn(program, programArgs, { stdio: 'ignore' });
  const pictures = (): string[] => readdirSync(folder).filter((name) => name.startsWith('picture'));
  try {
    // The last picture may be incomplete.
    await until('pictures of VLC', () => pictures().length > count, LIMIT_MS);
  } finally {
    await end(player);
  }
  return (await numbersIn(join(folder, 'picture%05d.png'))).slice(0, count);
}

/** Records the output of OBS, in which the media source fills the picture. */
async function playByObs(address: string, folder: string, count: number): Promise<number[]> {
  const file = join(folder, 'recording.mkv');
  const display = spawn(requirePeer('xvfb'), ['-displayfd', '1', '-screen', '0', '640x480x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [number] = (await once(display.stdout, 'data')) as [Buffer];
    writeObsSettings(folder, address);
    const options = ['--multi', '--profile', 'test', '--collection', 'test', '--startrecording', '--minimize-to-tray'];
    const player = spawn(requirePeer('obs'), options, {
      stdio: 'ignore',
      // Nothing listens at the proxy, so the search for updates fails at once.
      env: {
        ...process.env,
        DISPLAY: `:${number.toString().trim()}`,
        XDG_CONFIG_HOME: folder,
        https_proxy: 'http://127.0.0.1:9',
      },
    });
    try {
      return await until(
        'pictures of OBS',
        async () => {
          const numbers = await numbersIn(file).catch(() => []);
          const first = numbers.findIndex((at) => at >= 0);
          return first >= 0 && numbers.length - first >= count ? numbers.slice(first, first + count) : undefined;
        },
        LIMIT_MS,
      );
    } finally {
      await end(player);
    }
  } finally {
    await end(display);
  }
}

/** A scene with the media source, and a recording of its pictures without a change of size. */
function writeObsSettings(folder: string, address: string): void {
  const { width, height } = READABLE_SIZE;
  const settings = join(folder, 'obs-studio');
  mkdirSync(join(settings, 'basic', 'profiles', 'test'), { recursive: true });
  mkdirSync(join(settings, 'basic', 'scenes'));
  writeFileSync(join(settings, 'global.ini'), '[General]\nFirstRun=true\n[BasicWindow]\nPreviewEnabled=false\n');
  writeFileSync(
    join(settings, 'basic', 'profiles', 'test', 'basic.ini'),
    `[General]
Name=test
[Video]
BaseCX=${width}
BaseCY=${height}
OutputCX=${width}
OutputCY=${height}
FPSCommon=25 PAL
[Output]
Mode=Simple
FilenameFormatting=recording
[SimpleOutput]
FilePath=${folder}
RecFormat=mkv
RecQuality=Stream
StreamEncoder=x264
Preset=ultrafast
`,
  );
  const item = { name: 'media', id: 1, visible: true, pos: { x: 0, y: 0 }, scale: { x: 1, y: 1 } };
  const media = { is_local_file: false, input: address };
  const sources = [
    { id: 'ffmpeg_source', versioned_id: 'ffmpeg_source', name: 'media', settings: media },
    { id: 'scene', versioned_id: 'scene', name: 'scene', settings: { id_counter: 1, items: [item] } },
  ];
  writeFileSync(
    join(settings, 'basic', 'scenes', 'test.json'),
    JSON.stringify({ name: 'test', current_scene: 'scene', scene_order: [{ name: 'scene' }], sources }),
  );
}

/** Numbers of the pictures of a file, or of files with a pattern as name. */
async function numbersIn(input: string): Promise<number[]> {
  const { width, height } = READABLE_SIZE;
  // VLC adds two lines below its pictures.
  const filter = ['-map', '0:v', '-vf', `crop=${width}:${height}:0:0`, '-pix_fmt', 'gray', '-fps_mode', 'passthrough'];
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-nostdin', '-i', input, ...filter, '-f', 'rawvideo', '-'], {
    encoding: 'buffer',
    maxBuffer: 1 << 28,
  });
  const size = width * height;
  return Array.from(
    { length: Math.floor(stdout.length / size) },
    (_, index) => numberIn(stdout.subarray(index * size, (index + 1) * size), READABLE_SIZE)?.number ?? -1,
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
