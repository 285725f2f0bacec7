import { join } from 'node:path';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';

// Threads, servers and further runs take what was compiled before: a quarter of the processor time of the start of a server, a tenth of that of all unit tests.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/airdesk-compiled');

/** Limits of all tests are against hanging only: on a busy machine all takes many times as long, and one that stands still for seconds is no fault. */
const LIMITS = { testTimeout: 400_000, hookTimeout: 400_000, expect: { poll: { timeout: 30_000 } } };
/**
 * Files of a project share a process, and so the modules that they read: that saves a third of the processor time of unit tests, a sixth of the others'.
 * No module keeps anything between tests.
 */
const SHARED = { isolate: false, experimental: { viteModuleRunner: false } };
/** Tests with outside peers and a build. */
const E2E = { ...LIMITS, ...SHARED };
/** Delays of players are judged, and freezes. */
const PLAYBACK = ['tests/e2e/playback.test.ts'];
/** One file at a time: it is judged for how long a stream is away or late, which takes a machine that has time for it. */
const TIMED = ['tests/e2e/failover.test.ts', 'tests/e2e/hls-input.test.ts', 'tests/e2e/faults/**/*.test.ts'];
/** The desk, in a browser and as an application. One file at a time: some send by UDP, which a machine that is starved loses. */
const DESK = ['tests/e2e/desk/**/*.test.ts', 'tests/e2e/desktop.test.ts'];
/** What is entered in the desk, and read there: nothing plays. */
const FORMS = ['tests/e2e/desk/{configuration,subscribers}.test.ts'];
/** Players in Chromium that are judged for stalls, or for which a file has many. Those of files judge no delay: they are left to `e2e`. */
const PLAYERS = ['ad-players', 'archive', 'config-reload', 'isolation', 'track-changes'].map(
  (name) => `tests/e2e/${name}.test.ts`,
);
/** Answers are judged and no pictures, so files share the machine. They wait for the clock half of their time. */
const HTTP = ['tests/e2e/http/**/*.test.ts'];
/** What is written and sent is judged, and no player. */
const RECORDING = ['tests/e2e/recording*.test.ts', 'tests/e2e/{outputs,srt-listener}.test.ts'];

// Unit tests lie beside the code; tests/architecture checks the rules of the code base; tests/e2e is parted by what a file needs of the machine.
// scripts/test.ts says which projects run side by side.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'src-{main,preload}/**/*.test.ts',
            'scripts/**/*.test.ts',
            'tests/architecture/**/*.test.ts',
            'tests/helpers/**/*.test.ts',
          ],
          setupFiles: ['tests/helpers/compare-bytes.ts', 'tests/helpers/fixed-seed.ts'],
          // Behind the components. Each process reads and compiles the same modules: four take a tenth more processor time than two, which alone leave a quarter of two cores idle.
          sequence: { groupOrder: 1 },
          maxWorkers: 3,
          ...SHARED,
          ...LIMITS,
        },
      },
      {
        // Unit tests of the desk. All of them have a document, those without a component too: files of one environment share a process. They wait for
        // nothing, and one process for all of them takes two thirds of the processor time that four take.
        plugins: [vue()],
        // One file instead of a thousand: their loading was a third of the processor time of these tests.
        resolve: { alias: { 'naive-ui': join(import.meta.dirname, 'node_modules/naive-ui/dist/index.mjs') } },
        test: {
          name: 'components',
          include: ['src-renderer/**/*.test.ts'],
          environment: 'happy-dom',
          setupFiles: ['tests/helpers/desk/own-modules.ts', 'tests/helpers/fixed-seed.ts'],
          isolate: false,
          // A thread is handed the thousands of modules that they read; a process gets them by a pipe, for a tenth of the processor time.
          pool: 'threads',
          // Descriptions of what is sent, which hold nothing: they are read once, where every file has its own of all else.
          server: { deps: { external: [/\/src-preload\/contract\//] } },
          // A component that is kept from the run before does not know its style sheets when one of them has changed since.
          fsModuleCache: false,
          maxWorkers: 1,
          ...LIMITS,
        },
      },
      { test: { name: 'playback', include: PLAYBACK, fileParallelism: false, ...E2E } },
      { test: { name: 'timed', include: TIMED, fileParallelism: false, ...E2E } },
      { test: { name: 'desk', include: DESK, exclude: FORMS, fileParallelism: false, ...E2E } },
      { test: { name: 'forms', include: FORMS, fileParallelism: false, ...E2E } },
      { test: { name: 'players', include: PLAYERS, fileParallelism: false, ...E2E } },
      { test: { name: 'http', include: HTTP, maxWorkers: 3, ...E2E } },
      { test: { name: 'recording', include: RECORDING, maxWorkers: 2, ...E2E } },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          exclude: [...PLAYBACK, ...TIMED, ...DESK, ...PLAYERS, ...HTTP, ...RECORDING],
          maxWorkers: 2,
          ...E2E,
        },
      },
    ],
  },
});
