// npm run emoji-names -- <folder>: writes the names of emoji in other languages from the packages
// `cldr-annotations-full` and `cldr-annotations-derived-full`, which must be installed in the
// folder. They are large and change once a year, so the names are kept with the source.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { LOCALES, readStrings } from '../../renderer/vite-languages.ts'

/** The project's name of a language, and that of the packages. */
const LANGUAGES = [
  ['de', 'de'],
  ['fr', 'fr'],
  ['es', 'es'],
  ['pt-BR', 'pt'],
  ['ja', 'ja'],
  ['zh-CN', 'zh'],
  ['ar', 'ar'],
] as const
const PACKAGES = [
  ['cldr-annotations-full', 'annotations', 'annotations'],
  ['cldr-annotations-derived-full', 'annotationsDerived', 'annotationsDerived'],
] as const

type Annotations = Record<string, { readonly tts?: readonly string[] }>

function readNames(folder: string, language: string): Map<string, string> {
  const rows = PACKAGES.flatMap(([name, part, field]) => {
    const file = path.join(folder, 'node_modules', name, part, language, 'annotations.json')
    if (!existsSync(file)) throw new Error(`${file} is not there: install ${name} in ${folder}.`)
    const read = JSON.parse(readFileSync(file, 'utf8')) as Record<
      string,
      Record<'annotations', Annotations>
    >
    return Object.entries(read[field]?.annotations ?? {})
  })
  return new Map(rows.flatMap(([sign, { tts }]) => (tts?.[0] ? [[sign, tts[0]]] : [])))
}

/** The packages omit the variation selector that requests a coloured picture. */
const toPlain = (sign: string): string => sign.replaceAll('\uFE0F', '')

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder the packages are installed in.')
const signs = Object.values(readStrings('en', 'emoji')).flatMap((group) =>
  Object.keys(group as object),
)
for (const [language, name] of LANGUAGES) {
  const names = readNames(folder, name)
  const found = signs.flatMap((sign) => {
    const own = names.get(sign) ?? names.get(toPlain(sign))
    return own === undefined ? [] : [[sign, own] as const]
  })
  mkdirSync(path.join(LOCALES, language), { recursive: true })
  const file = path.join(LOCALES, language, 'emoji.json')
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(found), null, 2)}\n`)
  console.log(`${language}: ${found.length} of ${signs.length} signs`)
}
