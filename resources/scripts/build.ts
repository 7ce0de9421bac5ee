// Builds the five bundles of the product into out/: main, preload, server, command line and
// renderer.
import { cp, mkdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'vite'
import { RUNTIME_FILES } from '../../server/contract/code.ts'
import { nodeBundle, type NodeBundle } from './node-bundle.ts'
import { root } from './run-step.ts'

const out = (folder: string) => path.join(root, 'out', folder)

const bundles: NodeBundle[] = [
  { folder: 'main', entries: { index: 'main/index.ts' }, format: 'es' },
  {
    folder: 'preload',
    entries: { bridge: 'preload/bridge.ts', 'code-line': 'preload/code-line.ts' },
    format: 'cjs',
  },
  {
    folder: 'server',
    entries: {
      index: 'server/index.ts',
      'check-integrity-worker': 'server/storage/damage/check-integrity-worker.ts',
      'back-up-worker': 'server/storage/backups/back-up-worker.ts',
      'snapshot-worker': 'server/storage/snapshots/snapshot-worker.ts',
      'deletion-worker': 'server/storage/deletions/deletion-worker.ts',
      'checkpoint-worker': 'server/storage/checkpoints/checkpoint-worker.ts',
      'read-worker': 'server/storage/reading/read-worker.ts',
      'index-worker': 'server/retrieval/indexing/index-worker.ts',
      'search-worker': 'server/retrieval/searching/search-worker.ts',
      'text-worker': 'server/retrieval/postgres/text-worker.ts',
      'read-archive-worker': 'server/chats/import/read-archive-worker.ts',
      'extraction-worker': 'server/retrieval/extraction/extraction-worker.ts',
      'embed-worker': 'server/retrieval/embedding/built-in/embed-worker.ts',
      'code-runner': 'server/code/runner/main.ts',
      'engine-program': 'server/engine/program/main.ts',
      'speech-program': 'server/audio/local/program/main.ts',
      'render-worker': 'server/rendering/render-worker.ts',
    },
    format: 'es',
  },
  { folder: 'command-line', entries: { index: 'server/command-line/index.ts' }, format: 'es' },
]

/** Copies the viewer of the API document, two files shipped beside the server bundle. */
async function copyDocsViewer(): Promise<void> {
  const source = path.dirname(
    createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'),
  )
  await mkdir(out('server/docs'), { recursive: true })
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css'])
    await cp(path.join(source, file), path.join(out('server/docs'), file))
}

/** Copies the font used in PDFs, with its licence. */
async function copyFonts(): Promise<void> {
  const source = path.dirname(
    createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'),
  )
  await mkdir(out('server/fonts'), { recursive: true })
  for (const name of ['DejaVuSans', 'DejaVuSans-Bold', 'DejaVuSansMono'])
    await cp(path.join(source, 'ttf', `${name}.ttf`), path.join(out('server/fonts'), `${name}.ttf`))
  await cp(path.join(source, 'LICENSE'), path.join(out('server/fonts'), 'LICENSE'))
}

/** Copies the plugin host beside the server bundle: Python reads it from the disk. */
async function copyPluginHost(): Promise<void> {
  const source = path.join(root, 'resources/plugin-host/src')
  const isCode = (file: string) => !file.includes('__pycache__') && !file.endsWith('.egg-info')
  await cp(source, out('server/plugin-host'), { recursive: true, filter: isCode })
}

/**
 * Copies the runtime for code beside the server bundle: a sandboxed process reads it from the disk,
 * and so do windows.
 */
async function copyPythonRuntime(): Promise<void> {
  const source = path.dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))
  await mkdir(out('server/pyodide'), { recursive: true })
  for (const file of [...RUNTIME_FILES, 'package.json'])
    await cp(path.join(source, file), path.join(out('server/pyodide'), file))
}

const only = process.argv.slice(2)
const wanted = (folder: string) => only.length === 0 || only.includes(folder)

for (const bundle of bundles) if (wanted(bundle.folder)) await build(nodeBundle(bundle))
if (wanted('server')) {
  await copyDocsViewer()
  await copyPluginHost()
  await copyFonts()
  await copyPythonRuntime()
}
if (wanted('renderer')) {
  await rm(out('renderer'), { recursive: true, force: true })
  await build({ configFile: path.join(root, 'renderer/vite.config.ts'), logLevel: 'warn' })
  for (const mode of ['diagram', 'python', 'artifact', 'component'])
    await build({
      configFile: path.join(root, 'renderer/vite.frames.config.ts'),
      mode,
      logLevel: 'error',
    })
}
