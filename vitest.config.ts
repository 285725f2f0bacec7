import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';

// Unit tests lie beside the code; tests/architecture checks the rules of the code base; tests/e2e needs outside peers and a build. Those under `doors` judge answers and not
// pictures, so two of them may share the machine; all others have it for themselves.
export default defineConfig({
  test: {
    projects: [
      {
        // Tests of components name their environment themselves: `@vitest-environment happy-dom`.
        plugins: [vue()],
        test: {
          name: 'unit',
          include: [
            'src-*/**/*.test.ts',
            'scripts/**/*.test.ts',
            'tests/architecture/**/*.test.ts',
            'tests/helpers/**/*.test.ts',
          ],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'doors',
          include: ['tests/e2e/doors/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          exclude: ['tests/e2e/doors/**'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
