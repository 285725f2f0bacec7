import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runStep } from './step.ts';

/** Program that the tests need and npm does not provide. */
interface Peer {
  /** Names under which it is installed, the best first. */
  readonly programs: readonly string[];
  /** Debian packages that contain it. */
  readonly debian: string;
  /** Environment variable with its path if it is elsewhere. */
  readonly variable: string;
  readonly brew: string;
  /** Arguments with which the program succeeds if all of its dependencies are installed. */
  readonly check?: readonly string[];
  /** Peer that replaces this one at a higher cost. */
  readonly substitute?: string;
}

const PEERS = {
  ffmpeg: { programs: ['ffmpeg'], debian: 'ffmpeg', variable: 'FFMPEG_PATH', brew: 'ffmpeg' },
  ffprobe: { programs: ['ffprobe'], debian: 'ffmpeg', variable: 'FFPROBE_PATH', brew: 'ffmpeg' },
  chromium: {
    programs: [
      'chromium',
      'chromium-browser',
      'google-chrome-stable',
      'google-chrome',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
    debian: 'chromium',
    variable: 'CHROMIUM_PATH',
    brew: '--cask google-chrome',
  },
  // Chromium without browser windows: a page of it takes half the processor time to open.
  'chromium-headless-shell': {
    programs: ['chromium-headless-shell', 'chrome-headless-shell'],
    debian: 'chromium-headless-shell',
    variable: 'CHROMIUM_HEADLESS_SHELL_PATH',
    brew: '--cask google-chrome',
    substitute: 'chromium',
  },
  'gst-launch': {
    programs: ['gst-launch-1.0'],
    debian: 'gstreamer1.0-tools gstreamer1.0-plugins-good gstreamer1.0-plugins-bad',
    variable: 'GST_LAUNCH_PATH',
    brew: 'gstreamer',
  },
  vlc: { programs: ['cvlc', 'vlc'], debian: 'vlc-bin vlc-plugin-base', variable: 'VLC_PATH', brew: '--cask vlc' },
  mpv: { programs: ['mpv'], debian: 'mpv', variable: 'MPV_PATH', brew: 'mpv' },
  obs: { programs: ['obs'], debian: 'obs-studio', variable: 'OBS_PATH', brew: '--cask obs' },
  // Display without a screen, for OBS.
  xvfb: { programs: ['Xvfb'], debian: 'xvfb', variable: 'XVFB_PATH', brew: '--cask xquartz' },
  mkvmerge: { programs: ['mkvmerge'], debian: 'mkvtoolnix', variable: 'MKVMERGE_PATH', brew: 'mkvtoolnix' },
  nginx: {
    programs: ['/usr/sbin/nginx', 'nginx'],
    debian: 'nginx libnginx-mod-rtmp',
    variable: 'NGINX_PATH',
    brew: 'denji/nginx/nginx-full',
    check: ['-t', '-q', '-p', '/usr/share/nginx', '-c', join(import.meta.dirname, '../tests/fixtures/nginx-rtmp.conf')],
  },
  openssl: { programs: ['openssl'], debian: 'openssl', variable: 'OPENSSL_PATH', brew: 'openssl' },
  // Python with the RTSP server of GStreamer; the system's Python, because others do not see its packages.
  'rtsp-server': {
    programs: ['/usr/bin/python3', 'python3'],
    debian: 'python3-gi gir1.2-gst-rtsp-server-1.0 gstreamer1.0-plugins-good',
    variable: 'RTSP_SERVER_PYTHON',
    brew: 'pygobject3 gst-rtsp-server',
    check: [
      '-c',
      'import gi; gi.require_version("GstRtspServer", "1.0"); from gi.repository import Gst; Gst.init(None); assert Gst.ElementFactory.find("rtph264pay") and Gst.ElementFactory.find("matroskademux")',
    ],
  },
  // Python with the player of GStreamer, which can seek.
  'gst-player': {
    programs: ['/usr/bin/python3', 'python3'],
    debian: 'python3-gi gir1.2-gstreamer-1.0 gstreamer1.0-plugins-good gstreamer1.0-plugins-bad',
    variable: 'GST_PLAYER_PYTHON',
    brew: 'pygobject3 gstreamer',
    check: [
      '-c',
      'import gi; gi.require_version("Gst", "1.0"); from gi.repository import Gst; Gst.init(None); assert all(map(Gst.ElementFactory.find, ["playbin", "hlsdemux", "dashdemux", "souphttpsrc"]))',
    ],
  },
  // Python with the MPEG-TS library of GStreamer, which reads splice information sections.
  'scte35-reader': {
    programs: ['/usr/bin/python3', 'python3'],
    debian: 'python3-gi gir1.2-gst-plugins-bad-1.0 gstreamer1.0-plugins-bad',
    variable: 'SCTE35_READER_PYTHON',
    brew: 'pygobject3 gstreamer',
    check: [
      '-c',
      'import gi; gi.require_version("GstMpegts", "1.0"); from gi.repository import Gst, GstMpegts; Gst.init(None); assert Gst.ElementFactory.find("tsdemux")',
    ],
  },
} as const satisfies Record<string, Peer>;

/** Name of a peer: a program that the tests use. */
export type PeerName = keyof typeof PEERS;

/** Path of a peer or of its substitute; undefined if neither is installed. */
export function findPeer(name: PeerName): string | undefined {
  const { substitute }: Peer = PEERS[name];
  return findProgram(PEERS[name]) ?? (isPeerName(substitute) ? findPeer(substitute) : undefined);
}

function isPeerName(name: string | undefined): name is PeerName {
  return name !== undefined && Object.hasOwn(PEERS, name);
}

function findProgram(peer: Peer): string | undefined {
  const named = process.env[peer.variable];
  const isComplete = (path: string): boolean =>
    isProgram(path) && (!peer.check || spawnSync(path, peer.check).status === 0);
  if (named) return isComplete(named) ? named : undefined;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const program of peer.programs) {
    const candidates = program.startsWith('/') ? [program] : folders.map((folder) => join(folder, program));
    const found = candidates.find(isComplete);
    if (found) return found;
  }
  return undefined;
}

/** Path of a peer; throws an error with installation instructions if this machine has none. */
export function requirePeer(name: PeerName): string {
  const path = findPeer(name);
  if (!path) throw new Error(`${name} is missing: ${installCommand([name])}`);
  return path;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function missingPeers(find: (name: PeerName) => string | undefined): PeerName[] {
  return (Object.keys(PEERS) as PeerName[]).filter((name) => !find(name));
}

function installCommand(names: readonly PeerName[]): string {
  const list = (key: 'debian' | 'brew'): string => [...new Set(names.map((name) => PEERS[name][key]))].join(' ');
  if (process.platform === 'darwin') return `brew install ${list('brew')}`;
  if (hasApt()) return `sudo apt-get update && sudo apt-get install -y ${list('debian')}`;
  return `install ${names.join(', ')} with the package manager of this system, or name them in ${names.map((name) => PEERS[name].variable).join(', ')}`;
}

function hasApt(): boolean {
  return (
    process.platform === 'linux' &&
    existsSync('/etc/debian_version') &&
    spawnSync('apt-get', ['--version']).status === 0
  );
}

/**
 * Checks that all peers exist. As root on Debian it installs missing peers; otherwise it ends the process with the command that
 * installs them.
 */
export async function run(): Promise<void> {
  const missing = missingPeers((name) => findProgram(PEERS[name]));
  if (missing.length === 0) return;
  if (hasApt() && process.getuid?.() === 0) {
    process.stderr.write(`tests need ${missing.join(', ')}\n`);
    const packages = [...new Set(missing.flatMap((name) => PEERS[name].debian.split(' ')))];
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await runStep('apt-get', ['update', '-q'], { env });
    await runStep('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], { env });
  }
  const still = missingPeers(findPeer);
  if (still.length === 0) return;
  process.stderr.write(`The tests cannot run without ${still.join(', ')}. Type:\n  ${installCommand(still)}\n`);
  process.exit(1);
}
