import { symlinkSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { build } from 'vite'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Builds small programs for a test, each from its source in the tree, in syntax that the older Node
 * inside Electron supports. They load the `libraries` installed here.
 */
export async function buildPrograms(
  folder: string,
  programs: Readonly<Record<string, string>>,
  libraries: readonly string[] = [],
): Promise<void> {
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  if (libraries.length > 0)
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
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
          external: ['electron', ...builtinModules, ...libraries],
          output: { entryFileNames: `${name}.js`, codeSplitting: false },
        },
      },
      ssr: { noExternal: true, external: [...libraries] },
    })
  }
}
