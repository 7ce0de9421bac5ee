import path from 'node:path'
import { defineConfig } from 'vite'

const frames = path.join(import.meta.dirname, 'frames')

/**
 * Documents that run without an origin. A script of theirs has to be one classic file: modules would ask the gateway for
 * permission that nobody without an origin gets.
 */
export default defineConfig({
  root: frames,
  publicDir: path.join(frames, 'public'),
  build: {
    outDir: path.join(frames, '../../out/renderer/frames'),
    emptyOutDir: true,
    target: 'chrome140',
    chunkSizeWarningLimit: 8000,
    rollupOptions: {
      input: path.join(frames, 'diagram.ts'),
      output: { format: 'iife', entryFileNames: '[name].js' },
    },
  },
})
