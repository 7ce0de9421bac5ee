import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const frames = path.join(import.meta.dirname, 'frames')
const out = path.join(frames, '../../out/renderer/frames')
const FIRST = 'diagram'
/** Its policy names no address at all, not even that of a script of its own. */
const INLINE = 'artifact'

/** Writes the script into its document. */
const inlineScript = (): Plugin => ({
  name: 'inline-script',
  closeBundle() {
    const script = path.join(out, `${INLINE}.js`)
    const page = path.join(out, `${INLINE}.html`)
    const text = readFileSync(script, 'utf8').replaceAll('</script', String.raw`<\/script`)
    const written = readFileSync(page, 'utf8').replace('__SCRIPT__', () => text)
    writeFileSync(page, written)
    rmSync(script)
  },
})

/**
 * Documents that run without an origin. A script of theirs has to be one classic file: modules
 * would ask the gateway for permission that nobody without an origin gets. The mode names the
 * script; the first one brings the documents along.
 */
export default defineConfig(({ mode }) => ({
  root: frames,
  publicDir: mode === FIRST ? path.join(frames, 'public') : false,
  worker: { format: 'iife' },
  plugins: mode === INLINE ? [inlineScript()] : [],
  build: {
    outDir: out,
    emptyOutDir: mode === FIRST,
    target: 'chrome140',
    chunkSizeWarningLimit: 8000,
    rollupOptions: {
      input: path.join(frames, `${mode}.ts`),
      output: { format: 'iife', entryFileNames: '[name].js' },
    },
  },
}))
