import { homedir } from 'node:os';
import { assembleServer } from './assemble.ts';
import { readCommandLine, USAGE } from './command-line.ts';
import { askForPassword } from './lib/ask-for-password.ts';
import { dataFolder } from './lib/data-folder.ts';
import { messageOf } from './lib/error-message.ts';
import { areFilesBusy } from './lib/file-turns.ts';
import { outliveReaders, standardError } from './lib/line-output.ts';
import { hashPassword } from './lib/password-hash.ts';

// File access, DNS and compression share this thread pool; its size is read at its first use.
process.env['UV_THREADPOOL_SIZE'] ??= '64';

// Entry of the server without a window: `npm run serve -- --config FILE --data DIR`.
const line = readCommandLine(process.argv.slice(2));
if (line.kind === 'help') {
  process.stdout.write(USAGE);
  process.exit(0);
}
if (line.kind === 'wrong') {
  process.stderr.write(`airdesk: ${line.message}\n\n${USAGE}`);
  process.exit(2);
}
if (line.kind === 'hash-password') {
  // The configuration accepts the hash in this form instead of the password.
  const hash = await askForPassword(process.stdin, process.stderr)
    .then(hashPassword)
    .catch((error: Error) => {
      console.error(error.message);
    });
  if (hash !== undefined) console.log(hash);
  process.exit(hash === undefined ? 1 : 0);
}
const server = await assembleServer({
  dataFolder: line.data ?? dataFolder(process.platform, process.env, homedir()),
  configFile: line.config,
  logLevel: line.logLevel,
});

outliveReaders();
// An error in one request must not take the streams off air.
process.on('uncaughtException', (error) => {
  standardError.line(`error in the server thread, which continues: ${error.stack ?? error.message}`);
});

/** Maximum time for the last lines of the log at exit, in milliseconds, if their reader is slow. */
const LAST_LINES_MS = 500;

/** Maximum time for file operations in progress at exit, in milliseconds: a disk needs seconds to spin up. */
const LAST_READS_MS = 5000;

let isStopping = false;
async function stop(exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  const hung = await server.close();
  await standardError.drained(LAST_LINES_MS);
  const isReading = await areFilesBusy(LAST_READS_MS);
  if (isReading && hung.length === 0)
    console.error('airdesk exits although a file operation has not finished; check the disk');
  if (isReading || hung.length > 0) process.kill(process.pid, 'SIGKILL');
  process.exit(exitCode);
}
process.on('SIGTERM', () => void stop(0));
process.on('SIGINT', () => void stop(0));
const started = server.start();
// SIGHUP reloads the configuration file, as in other daemons. Its mistakes are logged.
process.on('SIGHUP', () => void started.then((running) => running.reload()).catch(() => undefined));

try {
  const { url } = await started;
  console.log(`airdesk ready ${url}`);
} catch (error) {
  standardError.line(`airdesk cannot start: ${messageOf(error)}`);
  await stop(1);
}
