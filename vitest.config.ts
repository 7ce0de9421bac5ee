import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { languages } from './renderer/vite-languages.ts'
import { providerMarks } from './renderer/vite-provider-marks.ts'

/** Time for a busy machine, on which things take longer without a fault. */
const patience = { testTimeout: 20_000, hookTimeout: 30_000, expect: { poll: { timeout: 10_000 } } }

export default defineConfig({
  test: {
    // More than there are cores: much of a test is waiting.
    maxWorkers: availableParallelism() * 2,
    projects: [
      {
        test: {
          name: 'gateway',
          environment: 'node',
          include: ['server/**/*.test.ts'],
          // Loading the gateway anew for each file takes longer than most files. Nothing here
          // replaces modules; what a test changes in the process it puts back.
          isolate: false,
          ...patience,
        },
      },
      {
        plugins: [languages()],
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'main/**/*.test.ts',
            'preload/**/*.test.ts',
            'resources/scripts/**/*.test.ts',
            'e2e/sdks/**/*.test.ts',
          ],
          ...patience,
        },
      },
      {
        test: {
          // Programs of others, which `e2e/clients/run.ts` installs; without it the tests are
          // skipped.
          name: 'clients',
          environment: 'node',
          include: ['e2e/clients/**/*.test.ts'],
          ...patience,
          // Some of them begin slowly, and try again by themselves when they are told of a limit.
          testTimeout: 120_000,
        },
      },
      {
        plugins: [languages(), providerMarks()],
        test: {
          name: 'renderer',
          // Files that need a window ask for jsdom in their first line: making it takes longer than
          // most tests.
          environment: 'node',
          include: ['renderer/**/*.test.ts', 'renderer/**/*.test.tsx'],
          // Loading the libraries and a window anew for each file takes longer than the tests; the
          // modules of the interface are loaded anew, as their stores keep what other files put in.
          isolate: false,
          setupFiles: ['renderer/testing/start-anew.ts'],
          // Only where a test reads a style sheet; none is applied.
          css: { include: [/\.css\?raw/] },
          ...patience,
        },
      },
    ],
  },
})
