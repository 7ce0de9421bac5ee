import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'
import { PROVIDER_MARKS } from './ui/provider-marks/mark-names.ts'

const require = createRequire(import.meta.url)
const PACKAGE = path.dirname(require.resolve('@lobehub/icons-static-svg/package.json'))
/** The package names its licence without carrying the text. */
const LICENCE = path.join(import.meta.dirname, 'ui/provider-marks/LICENSE.txt')
const MODULE = 'virtual:provider-marks'

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]

/** Returns the paths of a mark with their opacity; other shapes and colours are not supported. */
export function readPaths(svg: string): readonly (readonly [string, number])[] {
  const tags = svg.match(/<(?!\/|title\b)[^>]+>/g) ?? []
  const [box, ...shapes] = tags
  const paths = shapes.map((tag) => {
    const drawn = attribute(tag, 'd')
    if (!tag.startsWith('<path') || !drawn || attribute(tag, 'fill') || attribute(tag, 'stroke'))
      throw new Error(`A mark may have only paths without a colour, not ${tag.slice(0, 80)}`)
    return [drawn, Number(attribute(tag, 'opacity') ?? 1)] as const
  })
  if (!box?.includes('viewBox="0 0 24 24"') || paths.length === 0)
    throw new Error('A mark has paths in a box of 24 by 24.')
  return paths
}

const writeMarks = (): string => {
  const marks = Object.fromEntries(
    Object.entries(PROVIDER_MARKS).map(([name, file]) => [
      name,
      readPaths(readFileSync(path.join(PACKAGE, 'icons', `${file}.svg`), 'utf8')),
    ]),
  )
  return `export const marks=JSON.parse(${JSON.stringify(JSON.stringify(marks))})`
}

/**
 * Provides the marks of providers and model families as one module, reduced from the package to
 * those that are named, and emits their licence.
 */
export function providerMarks(): Plugin {
  return {
    name: 'provider-marks',
    resolveId: (id) => (id === MODULE ? `\0${id}` : null),
    load: (id) => (id === `\0${MODULE}` ? writeMarks() : null),
    generateBundle() {
      this.emitFile({
        type: 'asset',
        fileName: 'assets/LICENSE_provider-marks.txt',
        source: readFileSync(LICENCE),
      })
    },
  }
}
