import path from 'node:path'
import { defineConfig } from 'vite'

const frames = path.join(import.meta.dirname, 'frames')
const FIRST = 'diagram'

/**
 * Documents that run without an origin. A script of theirs has to be one classic file: modules
 * would ask the gateway for permission that nobody without an origin gets. The mode names the
 * script; the first one brings the documents along.
 */
export default defineConfig(({ mode }) => ({
  root: frames,
  publicDir: mode === FIRST ? path.join(frames, 'public') : false,
  worker: { format: 'iife' },
  build: {
    outDir: path.join(frames, '../../out/renderer/frames'),
    emptyOutDir: mode === FIRST,
    target: 'chrome140',
    chunkSizeWarningLimit: 8000,
    rollupOptions: {
      input: path.join(frames, `${mode}.ts`),
      output: { format: 'iife', entryFileNames: '[name].js' },
    },
  },
}))
