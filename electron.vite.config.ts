import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'electron-vite';
import { docsSite } from './scripts/docs-site.ts';
import { shippedLicences } from './scripts/shipped-licences.ts';

const root = import.meta.dirname;

/** Entry files of threads and processes, which Node or Electron start by name. */
const MAIN_ENTRIES = [
  'index',
  'headless',
  'server-thread',
  'media-thread',
  'database-thread',
  'codec-process',
  'export-thread',
  'index-thread',
];

const mainInputs = Object.fromEntries(
  MAIN_ENTRIES.map((name) => [name, join(root, 'src-main', `${name}.ts`)] as const).filter(([, file]) =>
    existsSync(file),
  ),
);

/** Packages that are bundled. They consist of hundreds of files, which each start would otherwise find and read. */
const BUNDLED = ['@fastify/static', '@lezer/common', '@lezer/lr', 'fastify', 'ws', 'zod'];

/** Copies the player library of embed pages next to the server, which sends it to browsers unchanged. */
const playerLibrary = {
  name: 'airdesk-player-library',
  generateBundle(this: { emitFile: (file: { type: 'asset'; fileName: string; source: Buffer }) => void }) {
    this.emitFile({
      type: 'asset',
      fileName: 'player/hls.min.js',
      source: readFileSync(join(root, 'node_modules/hls.js/dist/hls.min.js')),
    });
  },
};

/** Writes the list of shipped packages and their licences for the page of licences. */
const licences = {
  name: 'airdesk-licences',
  generateBundle(this: {
    emitFile: (file: { type: 'asset'; fileName: string; source: string }) => void;
    getModuleIds: () => Iterable<string>;
  }) {
    const source = JSON.stringify(shippedLicences(root, this.getModuleIds()));
    this.emitFile({ type: 'asset', fileName: '-/desk/licences.json', source });
  },
};

/** Renders the pages of `docs/`, which the server sends at `/-/docs/`. */
const documentation = {
  name: 'airdesk-documentation',
  generateBundle(this: { emitFile: (file: { type: 'asset'; fileName: string; source: string | Uint8Array }) => void }) {
    for (const { name, source } of docsSite(root)) this.emitFile({ type: 'asset', fileName: `-/docs/${name}`, source });
  },
};

export default defineConfig({
  main: {
    plugins: [playerLibrary],
    build: {
      outDir: join(root, 'out/main'),
      target: 'node24',
      externalizeDeps: { exclude: BUNDLED },
      sourcemap: true,
      minify: false,
      rolldownOptions: {
        input: mainInputs,
        // All files are in one folder, so that every chunk finds an entry by `new URL('./name.js', import.meta.url)`.
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: join(root, 'out/preload'),
      sourcemap: true,
      minify: false,
      rolldownOptions: {
        input: { index: join(root, 'src-preload/index.ts') },
        // A sandboxed preload cannot be an ES module.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: join(root, 'src-renderer'),
    // Relative, because the same files are served under the custom scheme of the window and over HTTP.
    base: './',
    plugins: [vue(), licences, documentation],
    build: {
      outDir: join(root, 'out/renderer'),
      assetsDir: '-/desk',
      emptyOutDir: true,
      sourcemap: false,
      minify: true,
      chunkSizeWarningLimit: 4000,
      rolldownOptions: {
        input: join(root, 'src-renderer/index.html'),
        // hls.js is a separate file, which browsers keep cached over new versions of the desk.
        output: { codeSplitting: { groups: [{ name: 'player', test: /node_modules[\\/]hls\.js/ }] } },
      },
    },
  },
});
