import { existsSync, promises, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';

// Real index thread, except for files by name: `die.ts` ends the thread, `hang.ts` makes it hang, `mute.ts` ends it
// when subtitles are read, and `wait.ts` is opened when `wait.ts.go` exists.
parentPort?.on('message', (message: readonly unknown[]) => {
  const [kind, , name, question] = message;
  if (name === 'subtitles' && (question as { readonly path: string }).path.endsWith('mute.ts')) process.exit(3);
  if (kind !== 'ask' || name !== 'index') return;
  const { path = '' } = (question as { readonly files: readonly { readonly path: string }[] }).files[0] ?? {};
  if (path.endsWith('die.ts')) process.exit(3);
  if (!path.endsWith('hang.ts')) return;
  writeFileSync(`${path}.started`, '');
  for (;;);
});
const { open } = promises;
promises.open = async (...args) => {
  const path = String(args[0]);
  if (path.endsWith('wait.ts')) {
    writeFileSync(`${path}.started`, '');
    while (!existsSync(`${path}.go`)) await delay(20);
  }
  return open(...args);
};
syncBuiltinESMExports();
await import('../../src-main/index-thread.ts');
export {};
