import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { stopChild } from './replay.ts';
import type { Target, TargetKind } from './target.ts';

const PROGRAM = '/usr/sbin/nginx';
const MODULES = ['/usr/lib/nginx/modules/ngx_rtmp_module.so', '/usr/share/nginx/modules/ngx_rtmp_module.so'];

/**
 * nginx with the RTMP module of the Debian packages nginx-light and libnginx-mod-rtmp; undefined if they are not installed.
 *
 * @param applications further applications of its RTMP server, as configuration text
 */
export function nginxPeer(workFolder: string, applications = ''): TargetKind | undefined {
  const module = MODULES.find((path) => existsSync(path));
  if (!existsSync(PROGRAM) || module === undefined) return undefined;
  return { name: 'nginx-rtmp', start: () => startNginx(module, workFolder, applications) };
}

/** Path at which nginx serves the same files through large buffers instead of `sendfile`. */
export const NGINX_BUFFERED = '/buffered/';

/** Application whose published streams are recorded: by the peer, and by our server if a section defines it. */
export const RECORDING_APP = 'rec';

/** Folder for recordings of both servers. Unlike all other folders, it is on a disk. */
export function recordingFolder(): string {
  return join(tmpdir(), 'airdesk-bench-recordings');
}

/** Folder that nginx serves over HTTP. */
export function nginxRoot(workFolder: string): string {
  return join(workFolder, 'nginx-root');
}

/** Directives of an application that makes HLS. @param subfolder folder of its own, below the one that nginx serves */
export function hlsDirectives(workFolder: string, subfolder = 'hls'): string {
  mkdirSync(join(nginxRoot(workFolder), subfolder), { recursive: true });
  return `live on; hls on; hls_path ${nginxRoot(workFolder)}/${subfolder}; hls_fragment 2s; hls_playlist_length 12s;`;
}

async function startNginx(module: string, workFolder: string, applications: string): Promise<Target> {
  // Its worker may run as another user.
  mkdirSync(recordingFolder(), { recursive: true, mode: 0o777 });
  const httpPort = await freePort();
  const rtmpPort = await freePort();
  const path = join(workFolder, 'nginx.conf');
  writeFileSync(path, configText(module, workFolder, httpPort, rtmpPort, applications));
  const child = spawn(PROGRAM, ['-c', path, '-p', workFolder, '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; !(await isOpen(httpPort)); tries++) {
    if (tries > 200 || child.exitCode !== null) throw new Error('nginx does not start');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    name: 'nginx-rtmp',
    pid: child.pid ?? 0,
    rtmpPort,
    httpPort,
    app: 'live',
    playlist: (stream) => `/hls/${stream}.m3u8`,
    stop: () => stopChild(child),
  };
}

/**
 * Configuration with one worker, and with HLS fragments of 2 s in a window of 12 s, as in our server. Files are in memory
 * (tmpfs). The kernel determines whether `sendfile` or large buffers are faster: both are measured, and the faster one counts.
 */
function configText(module: string, folder: string, httpPort: number, rtmpPort: number, applications: string): string {
  return `load_module ${module};
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx-error.log error;
events { worker_connections 16384; }
rtmp { server { listen 127.0.0.1:${rtmpPort}; chunk_size 4096;
  application live { ${hlsDirectives(folder)} }
  application ${RECORDING_APP} { ${hlsDirectives(folder, `hls-${RECORDING_APP}`)}
    record all; record_path ${recordingFolder()}; record_unique on; record_interval 60s; }
  ${applications}
} }
http {
  access_log off; sendfile on; tcp_nodelay on; keepalive_timeout 300; keepalive_requests 100000000;
  types { application/vnd.apple.mpegurl m3u8; video/mp4 m4s; video/mp2t ts; }
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server { listen 127.0.0.1:${httpPort}; root ${nginxRoot(folder)};
    location /hls/ { add_header Access-Control-Allow-Origin * always; }
    location ${NGINX_BUFFERED} { alias ${nginxRoot(folder)}/; sendfile off; output_buffers 2 512k; }
  }
}
`;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => {
      resolve(false);
    });
  });
}
