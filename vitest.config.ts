import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // One for each core: much of a test is waiting, and by default one core would stand idle.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'server/**/*.test.ts',
            'main/**/*.test.ts',
            'preload/**/*.test.ts',
            'resources/scripts/**/*.test.ts',
            'e2e/sdks/**/*.test.ts',
          ],
          testTimeout: 20_000,
          hookTimeout: 30_000,
          // On a busy machine things take longer, which is no fault.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        test: {
          name: 'renderer',
          environment: 'jsdom',
          include: ['renderer/**/*.test.ts', 'renderer/**/*.test.tsx'],
          testTimeout: 20_000,
        },
      },
    ],
  },
})
