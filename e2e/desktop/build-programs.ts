import { writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { build } from 'vite'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Builds small programs for a test, each from its source in the tree, in words an older Node inside
 * Electron understands too.
 */
export async function buildPrograms(
  folder: string,
  programs: Readonly<Record<string, string>>,
): Promise<void> {
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  for (const [name, source] of Object.entries(programs)) {
    await build({
      configFile: false,
      logLevel: 'error',
      build: {
        target: 'node20',
        ssr: path.join(root, source),
        outDir: folder,
        emptyOutDir: false,
        rollupOptions: {
          external: ['electron', ...builtinModules],
          output: { entryFileNames: `${name}.js`, codeSplitting: false },
        },
      },
      ssr: { noExternal: true },
    })
  }
}
