// npm run translations [-- de] [--accept] [--file chat]: reports, for each language or one, texts
// that are missing, superfluous, wrong or translated from an English text that has changed since;
// docs/translating.md.
import { parseArgs } from 'node:util'
import { listLanguages } from '../../renderer/vite-languages.ts'
import { compareTexts, findStale, toRecord } from './translations/compare-texts.ts'
import { readRecord, readTexts, writeRecord, type Texts } from './translations/texts.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { accept: { type: 'boolean', default: false }, file: { type: 'string' } },
})
const english = readTexts('en')
const languages = positionals.length > 0 ? positionals : listLanguages()

const isShown = (key: string): boolean =>
  flags.file === undefined || key.startsWith(`${flags.file}:`)

function tell(title: string, lines: readonly (readonly [key: string, text: string])[]): number {
  const shown = lines.filter(([key]) => isShown(key))
  if (shown.length === 0) return 0
  console.log(`\n${title}: ${shown.length}`)
  if (positionals.length > 0) for (const [key, text] of shown) console.log(`  ${key}  ${text}`)
  return shown.length
}

/** Marks the texts of a language as translated from the current English. */
function accept(language: string, own: Texts): void {
  const record = toRecord({ english, own, language }, readRecord(language), isShown)
  writeRecord(language, record)
  console.log(
    record.complete
      ? `\n${language} is complete: people can choose it from the next build on.`
      : `\n${language} is accepted as far as it goes.`,
  )
}

function report(language: string): number {
  const own = readTexts(language)
  if (flags.accept) accept(language, own)
  const { missing, superfluous, wrong } = compareTexts(english, own, language)
  const stale = findStale({ english, own, language }, readRecord(language))
  console.log(`\n${language}: ${own.size} texts, ${missing.size} missing`)
  return (
    tell('missing', [...missing]) +
    tell(
      'superfluous',
      superfluous.map((key) => [key, '']),
    ) +
    tell(
      'wrong',
      wrong.map(({ key, problem }) => [key, problem]),
    ) +
    tell('stale, English says now', [...stale])
  )
}

const faults = languages.map(report)
process.exitCode = faults.some((count) => count > 0) ? 1 : 0
