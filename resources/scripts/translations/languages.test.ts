import { describe, expect, it } from 'vitest'
import {
  listFiles,
  listFinishedLanguages,
  listLanguages,
} from '../../../renderer/vite-languages.ts'
import { compareTexts } from './compare-texts.ts'
import { readTexts } from './texts.ts'

const english = readTexts('en')
const fileOf = (key: string): string => key.slice(0, key.indexOf(':'))

it('the English texts give a word beside a number both of its forms', () => {
  const { missing, superfluous, wrong } = compareTexts(english, english, 'en')
  expect([[...missing.keys()], superfluous, wrong]).toEqual([[], [], []])
})

describe.each(listLanguages())('%s', (language) => {
  const isFinished = listFinishedLanguages().includes(language)
  const files = new Set(listFiles(language))
  const { missing, superfluous, wrong } = compareTexts(english, readTexts(language), language)

  it('has every key of the files it has, and of all once it was complete', () => {
    const due = [...missing.keys()].filter((key) => isFinished || files.has(fileOf(key)))
    expect(due).toEqual([])
  })

  it('has no key that English has not', () => {
    expect(superfluous).toEqual([])
  })

  it('has the placeholders and tags of English in each text', () => {
    expect(wrong).toEqual([])
  })
})
