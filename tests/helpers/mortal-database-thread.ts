import { existsSync, writeFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

// Real database thread, except for blocks that end it before they are stored: blocks of streams called `exit <file>`
// until that file exists, and of `exit always`. After a block of the stream `hang` it never answers again.
parentPort?.on('message', (message: readonly unknown[]) => {
  const [kind, , name, question] = message;
  if (kind !== 'ask' || name !== 'catalog-write') return;
  // The question of a write contains its changes.
  for (const { block } of question as readonly { readonly block?: { readonly stream: string } }[]) {
    const [what, file = ''] = block?.stream.split(' ') ?? [];
    if (what === 'hang') for (;;);
    if (what !== 'exit' || existsSync(file)) continue;
    if (file !== 'always') writeFileSync(file, '');
    process.exit(3);
  }
});
await import('../../src-main/database-thread.ts');
export {};
