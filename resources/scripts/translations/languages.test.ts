import { describe, expect, it } from 'vitest'
import {
  listFiles,
  listFinishedLanguages,
  listLanguages,
  readStrings,
} from '../../../renderer/vite-languages.ts'
import { isTest, parse, readSources, type Source, type SyntaxNode } from '../import-graph.ts'
import { compareTexts } from './compare-texts.ts'
import { collectTexts, isSpoken } from './spoken-texts.ts'
import { readTexts } from './texts.ts'

const english = readTexts('en')
const toTree = (source: Source): SyntaxNode => ({ ...parse(source).program })
const sources = readSources().filter(({ file }) => file.startsWith('server/') && !isTest(file))
const server = sources.map(({ text }) => text).join('\n')
const spoken = sources.flatMap((source) => collectTexts(toTree(source)))
const fileOf = (key: string): string => key.slice(0, key.indexOf(':'))

it('the English texts give a word beside a number both of its forms', () => {
  const { missing, superfluous, wrong } = compareTexts(english, english, 'en')
  expect([[...missing.keys()], superfluous, wrong]).toEqual([[], [], []])
})

it('the messages that have translations are ones the gateway says', () => {
  const { codes, sentences, statuses } = readStrings('en', 'errors') as Record<
    string,
    Record<string, string>
  >
  const words = Object.keys(codes!).map((code) => code.replace(/_wait_(one|other)$/, ''))
  expect(words.filter((code) => !server.includes(`'${code}'`))).toEqual([])
  const unspoken = Object.values({ ...sentences, ...statuses }).filter(
    (text) => !server.includes(text) && !isSpoken(text, spoken),
  )
  expect(unspoken).toEqual([])
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
