// Entry of the desktop application: the main thread of Electron. It opens windows and starts the server in a worker thread.
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Desktop } from './desktop/index.ts';
import { startOptions } from './desktop/start-options.ts';
import { outliveReaders, standardError } from './lib/line-output.ts';
import type { LogFields } from './lib/log.ts';

// File access, DNS and compression share this thread pool; its size is read at its first use.
process.env['UV_THREADPOOL_SIZE'] ??= '64';

outliveReaders();

function write(level: string): (message: string, fields?: LogFields) => void {
  return (message, fields) => {
    standardError.line(JSON.stringify({ level, message, ...fields }));
  };
}

new Desktop({
  ...startOptions(process.argv.slice(1), process.env, homedir()),
  serverEntry: new URL('./server-thread.js', import.meta.url),
  codecEntry: new URL('./codec-process.js', import.meta.url),
  trayIcon: fileURLToPath(new URL('../../resources/tray.png', import.meta.url)),
  log: { debug: () => {}, info: write('info'), warn: write('warn'), error: write('error') },
}).start();
