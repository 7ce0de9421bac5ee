import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const frames = path.join(import.meta.dirname, 'frames')
const out = path.join(frames, '../../out/renderer/frames')
const FIRST = 'diagram'
/** Document whose policy allows no URL, not even that of its own script. */
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
 * Builds the documents that run without an origin. Each has one classic script, because modules need
 * CORS, which the gateway does not grant to documents without an origin. The mode names the script;
 * the build of the first one also copies the documents.
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
