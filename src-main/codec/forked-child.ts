import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CodecChild, CodecChildListener } from './codec-child.ts';
import type { JobReply } from './protocol.ts';

/** Starts a codec process as a child of this one; jobs use the IPC channel of Node. */
export function forkCodecChild(entry: URL, listener: CodecChildListener): CodecChild {
  const child = fork(fileURLToPath(entry), [], {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: childEnvironment(),
  });
  child.on('message', (reply: JobReply) => {
    listener.reply(reply);
  });
  child.on('error', (error) => {
    // If no process was started, `exit` is not emitted.
    if (child.pid === undefined) listener.ended(error.message);
  });
  // The event `close` is not emitted after this side has disconnected, so the end of the output is awaited instead.
  const outputEnd = new Promise((resolve) => child.stderr?.once('close', resolve));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    listener.printed(text);
  });
  child.once('exit', (code, signal) => {
    void outputEnd.then(() => {
      listener.ended(signal ?? `code ${String(code)}`);
    });
  });
  return {
    get pid() {
      return child.pid;
    },
    get isConnected() {
      return child.connected;
    },
    send(request) {
      child.send(request, (error) => {
        // Kills a child that does not accept its job.
        if (error) child.kill('SIGKILL');
      });
    },
    disconnect() {
      if (child.connected) child.disconnect();
    },
    kill() {
      child.kill('SIGKILL');
    },
  };
}

function childEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env };
  // Flags of the parent (inspector, loaders, test runners) do not apply to the child.
  delete environment['NODE_OPTIONS'];
  return environment;
}
