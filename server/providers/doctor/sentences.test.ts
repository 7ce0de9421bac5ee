import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const FILE = path.resolve(import.meta.dirname, '../../../renderer/locales/en/doctor.json')
const { sentences } = JSON.parse(readFileSync(FILE, 'utf8')) as {
  sentences: Record<string, string>
}
const SOURCES = [
  ...readdirSync(import.meta.dirname).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  ),
  '../../lib/outgoing/proxy-error.ts',
  '../programs/known-programs.ts',
]
const LITERAL = /'([A-Z$][^'\n]* [^'\n]*)'|"([A-Z$][^"\n]* [^"\n]*)"|`([A-Z$][^`\n]* [^`\n]*)`/g
/** Texts read from certificates, or names of programs. */
const NO_SENTENCES = new Set(['LM Studio'])

/** The sentences of the check, each as a pattern in which values match anything. */
const said = SOURCES.flatMap((name) =>
  [...readFileSync(path.join(import.meta.dirname, name), 'utf8').matchAll(LITERAL)]
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .filter((text) => !NO_SENTENCES.has(text)),
)
const toPattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
      .join('.+')}$`,
  )

it('every sentence of the check of a connection can be said in other languages', () => {
  const known = Object.values(sentences)
  expect(said.length).toBeGreaterThan(80)
  expect(said.filter((text) => !known.some((sentence) => toPattern(text).test(sentence)))).toEqual(
    [],
  )
})

it('every sentence that is translated is one the check says', () => {
  const patterns = said.map(toPattern)
  expect(
    Object.values(sentences).filter(
      (sentence) => !patterns.some((pattern) => pattern.test(sentence)),
    ),
  ).toEqual([])
})
