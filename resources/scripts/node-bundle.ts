import path from 'node:path'
import type { InlineConfig, Plugin } from 'vite'
import { languages } from '../../renderer/vite-languages.ts'
import { escapeWideCharacters } from './escape-wide-characters.ts'
import { loadDirectly } from './load-directly.ts'
import { root } from './run-step.ts'
import { createPartNames } from './split-gateway.ts'

/**
 * Native modules, Electron itself and packages that the desktop app does not include stay outside
 * the bundles; everything else is inlined.
 */
export const EXTERNAL = [
  'electron',
  'better-sqlite3',
  '@node-rs/argon2',
  'keytar',
  'node-llama-cpp',
  '@fugood/whisper.node',
  'pg',
  // Loaded only if uploads are stored in a bucket; the desktop app does without.
  '@aws-sdk/client-s3',
  '@redis/client',
  /^node:/,
]

/** Additional plugins of some bundles. */
const PLUGINS: Readonly<Record<string, () => Plugin[]>> = {
  server: () => [loadDirectly(), escapeWideCharacters()],
  main: () => [languages()],
}

/**
 * One bundle of the product that runs in Node or Electron; entries by name, relative to the root.
 */
export interface NodeBundle {
  folder: string
  entries: Record<string, string>
  format: 'es' | 'cjs'
}

/** Returns the build configuration of a bundle. */
export function nodeBundle({ folder, entries, format }: NodeBundle): InlineConfig {
  return {
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: PLUGINS[folder]?.() ?? [],
    ssr: { noExternal: true, external: EXTERNAL.filter((name) => typeof name === 'string') },
    build: {
      ssr: true,
      target: 'node24',
      outDir: path.join(root, 'out', folder),
      emptyOutDir: true,
      minify: true,
      rollupOptions: {
        input: Object.fromEntries(
          Object.entries(entries).map(([name, file]) => [name, path.resolve(root, file)]),
        ),
        external: EXTERNAL,
        output: {
          format,
          entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
          // Beside the entries, because modules find their workers and files relative to
          // themselves.
          chunkFileNames: '[name]-[hash].js',
          ...(folder === 'server' && {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [{ debugName: 'gateway', name: createPartNames() }],
            },
          }),
          // Stack traces in fault reports must name functions.
          ...(folder !== 'preload' && {
            minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
          }),
        },
      },
    },
  }
}
