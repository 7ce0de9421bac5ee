import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  listFiles,
  listFinishedLanguages,
  listLanguages,
  readStrings,
} from '../../../renderer/vite-languages.ts'
import { root } from '../run-step.ts'
import { compareTexts } from './compare-texts.ts'
import { readTexts } from './texts.ts'

const english = readTexts('en')
const server = globSync('server/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .join('\n')
const fileOf = (key: string): string => key.slice(0, key.indexOf(':'))

it('the English texts give a word beside a number both of its forms', () => {
  const { missing, superfluous, wrong } = compareTexts(english, english, 'en')
  expect([[...missing.keys()], superfluous, wrong]).toEqual([[], [], []])
})

it('the refusals that have translations are ones the gateway says', () => {
  const { codes, sentences } = readStrings('en', 'errors') as Record<string, Record<string, string>>
  const words = Object.keys(codes!).map((code) => code.replace(/_wait_(one|other)$/, ''))
  expect(words.filter((code) => !server.includes(`'${code}'`))).toEqual([])
  expect(Object.values(sentences!).filter((text) => !server.includes(text))).toEqual([])
})

describe.each(listLanguages())('%s', (language) => {
  const isFinished = listFinishedLanguages().includes(language)
  const files = new Set(listFiles(language))
  const { missing, superfluous, wrong } = compareTexts(english, readTexts(language), language)

  it('has every key of the files it has, and of all once it was complete', () => {
    const due = [...missing.keys()].filter((key) => isFinished || files.has(fileOf(key)))
    expect(due).toEqual([])
  })

  it('has a name for every sign', () => {
    const signs = Object.values(readStrings('en', 'emoji')).flatMap((group) => Object.keys(group))
    expect(Object.keys(readStrings(language, 'emoji')).toSorted()).toEqual(signs.toSorted())
  })

  it('has no key that English has not', () => {
    expect(superfluous).toEqual([])
  })

  it('has the placeholders and tags of English in each text', () => {
    expect(wrong).toEqual([])
  })
})
