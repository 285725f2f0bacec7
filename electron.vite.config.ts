import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'electron-vite';
import { docsSite } from './scripts/docs-site.ts';
import { shippedLicences } from './scripts/shipped-licences.ts';

const root = import.meta.dirname;

/** Files that Node or Electron start by name: each thread and process is an entry of its own. */
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

/** Packages that become part of the built files: they are hundreds of files, and each start would look for and read each of them. */
const BUNDLED = ['@fastify/static', '@lezer/common', '@lezer/lr', 'fastify', 'prom-client', 'ws', 'zod'];

/** The player library of embed pages lies beside the server, which sends it to browsers as it is. */
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

/** What is shipped with the desk and the server, for the page that lists it. */
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

/** The pages of `docs/`, which the server sends at `/-/docs/`. */
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
        // Flat, so that `new URL('./name.js', import.meta.url)` names an entry from every chunk.
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
        // A file of its own: browsers keep it over new versions, and no single answer is long.
        output: { codeSplitting: { groups: [{ name: 'player', test: /node_modules[\\/]hls\.js/ }] } },
      },
    },
  },
});
