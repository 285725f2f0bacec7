// Starts an application like Electron: resolves its package, provides the module `electron`, and reports that the
// application is ready.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const STUB = new URL('./main-module.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    return specifier === 'electron'
      ? { url: STUB, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context);
  },
});

const args = process.argv.slice(2);
const folder = resolve(args.find((argument) => !argument.startsWith('-')) ?? '.');
// Electron reads the same field.
const { main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { main: string };
process.argv = [process.execPath, ...args];

const { app } = await import('./stand-in-app.ts');
await import(pathToFileURL(join(folder, main)).href);
app.becomeReady();
