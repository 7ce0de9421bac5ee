import { createReadStream, existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'

const PACKAGE = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const VERSION = (
  JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8')) as { version: string }
).version
const FOLDER = `assets/pdf-${VERSION}`

/**
 * Returns the files the PDF reader loads by name: paths in the package by their names in the folder.
 */
function listParts(): Map<string, string> {
  const found = globSync(
    [
      'cmaps/*',
      'standard_fonts/*',
      'wasm/{jbig2,openjpeg}_nowasm_fallback.js',
      'wasm/LICENSE_*{JBIG2,OPENJPEG}',
    ],
    {
      cwd: PACKAGE,
    },
  )
  const parts = new Map(
    found.map((name) => [name.split(path.sep).join('/'), path.join(PACKAGE, name)]),
  )
  return parts
    .set('worker.js', path.join(PACKAGE, 'legacy/build/pdf.worker.min.mjs'))
    .set('LICENSE', path.join(PACKAGE, 'LICENSE'))
}

/**
 * Emits the files of the PDF reader beside those of the page, in a folder named after its version.
 */
export function pdfParts(): Plugin {
  return {
    name: 'pdf-parts',
    generateBundle() {
      for (const [name, file] of listParts())
        this.emitFile({ type: 'asset', fileName: `${FOLDER}/${name}`, source: readFileSync(file) })
    },
    configureServer({ middlewares }) {
      const parts = listParts()
      middlewares.use(`/${FOLDER}`, (request, response, next) => {
        const file = parts.get(decodeURIComponent((request.url ?? '/').slice(1).split('?', 1)[0]!))
        if (!file || !existsSync(file)) return next()
        response.setHeader(
          'Content-Type',
          file.endsWith('js') ? 'text/javascript' : 'application/octet-stream',
        )
        createReadStream(file).pipe(response)
      })
    },
  }
}
