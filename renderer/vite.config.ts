import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { fonts } from './vite-fonts.ts'
import { emojiLicence, languages } from './vite-languages.ts'
import { pdfParts } from './vite-pdf-parts.ts'
import { providerMarks } from './vite-provider-marks.ts'
import { serviceWorker } from './vite-service-worker.ts'

const renderer = import.meta.dirname
const root = path.join(renderer, '..')
const contracts = [
  path.join(root, 'server/contract') + path.sep,
  path.join(root, 'preload/contract.ts'),
]
/** Code that the gateway and the interface both run. */
const code = [
  path.join(root, 'server/contract/openapi') + path.sep,
  path.join(root, 'server/contract/avatars.ts'),
  path.join(root, 'server/contract/python-frame.ts'),
  path.join(root, 'server/contract/find-price.ts'),
  path.join(root, 'server/contract/short-title.ts'),
  path.join(root, 'server/contract/connection-kinds.ts'),
  path.join(root, 'server/contract/event-effects.ts'),
]

const isSchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && '_zod' in value

/**
 * Returns the plain data of a contract value; schemas and functions become undefined, which JSON
 * omits.
 */
function toData(value: unknown): unknown {
  if (typeof value === 'function' || isSchema(value)) return undefined
  if (Array.isArray(value)) return value.map(toData)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toData(part)]))
}

/**
 * Removes the schemas from the contract. The page needs only its paths, names and codes; the gateway
 * validates requests, and the schema library would be a third of the first load.
 */
function contractData(): Plugin {
  return {
    name: 'contract-data',
    enforce: 'pre',
    async load(id) {
      const file = id.split('?', 1)[0] ?? id
      if (
        !contracts.some((prefix) => file.startsWith(prefix)) ||
        code.some((prefix) => file.startsWith(prefix)) ||
        !file.endsWith('.ts')
      )
        return null
      const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>
      const lines = Object.entries(module).flatMap(([name, value]) => {
        const json = JSON.stringify(toData(value))
        return json === undefined
          ? []
          : [`export const ${name} = /* @__PURE__ */ JSON.parse(${JSON.stringify(json)})`]
      })
      return { code: lines.join('\n'), map: null, moduleSideEffects: false }
    },
  }
}

/** Returns the isolated documents such as the diagram frame, each a separate entry. */
function listFrames(): string[] {
  return readdirSync(renderer, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^frames[\\/][\w-]+\.html$/.test(name))
    .map((name) => path.join(renderer, name))
}

const gateway = `http://127.0.0.1:${process.env.PORT ?? '8642'}`
const proxied = ['/api', '/ws', '/health', '/ready', '/oauth', '/openapi.json', '/llmhost']

/**
 * The browser build of this package parses HTML in the page, which the page's policy forbids; the
 * other build contains a table.
 */
const ENTITIES = 'decode-named-character-reference'

/** Serves source files from disk, because the interface also has a folder named `api`. */
const keepSources = ({ url = '' }: { url?: string }): string | undefined =>
  /\.tsx?(\?|$)/.test(url) ? url : undefined

export default defineConfig({
  root: renderer,
  // Scripts load each other by relative paths, below any path of a proxy; the gateway writes the path
  // of the first one into the page.
  base: './',
  plugins: [
    contractData(),
    pdfParts(),
    languages(),
    emojiLicence(),
    fonts(),
    providerMarks(),
    react(),
    tailwindcss(),
    serviceWorker(),
  ],
  html: { cspNonce: '__CSP_NONCE__' },
  resolve: { alias: { [ENTITIES]: createRequire(import.meta.url).resolve(ENTITIES) } },
  worker: { format: 'es' },
  build: {
    outDir: path.join(root, 'out/renderer'),
    emptyOutDir: true,
    manifest: true,
    target: 'chrome140',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      input: [path.join(renderer, 'index.html'), ...listFrames()],
      // All code of the first page in one file: by default each small module shared with a later part
      // becomes a file, and a browser spends an eighth of a page load on loading those.
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
  },
  server: {
    proxy: Object.fromEntries(
      proxied.map((prefix) => [
        prefix,
        { target: gateway, ws: prefix === '/ws', changeOrigin: true, bypass: keepSources },
      ]),
    ),
  },
})
