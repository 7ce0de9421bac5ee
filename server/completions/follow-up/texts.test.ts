import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countShown, fillTemplate, type TemplateValues } from './fill-template.ts'
import { readField, readList } from './read-json.ts'

const messages = ['one', 'two', 'three', 'four', 'five'].map((content, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content,
}))
const values: TemplateValues = { messages, names: new Map([['USER_NAME', 'Ada']]) }
const fill = (template: string, more: Partial<TemplateValues> = {}) =>
  fillTemplate(template, { ...values, ...more })

describe('A prompt template', () => {
  test.each([
    ['{{MESSAGES:END:2}}', 'ASSISTANT: four\nUSER: five'],
    ['{{MESSAGES:START:1}}', 'USER: one'],
    ['{{MESSAGES:MIDDLETRUNCATE:2}}', 'USER: one\nUSER: five'],
    ['{{prompt}}', 'five'],
    ['{{prompt:start:2}}|{{prompt:end:2}}|{{prompt:middletruncate:2}}', 'fi|ve|f…e'],
    ['{{MESSAGES:END:1}} for {{USER_NAME}}, {{UNKNOWN}}', 'USER: five for Ada, {{UNKNOWN}}'],
    ['{{TYPE}}{{MESSAGES:END:1}}', 'USER: five'],
  ])('%j becomes %j', (template, filled) => {
    expect(fill(template)).toBe(filled)
  })

  test('that names no subject is followed by the end of the conversation', () => {
    expect(fill('Name this.')).toBe(
      'Name this.\n\nUSER: one\nASSISTANT: two\nUSER: three\nASSISTANT: four\nUSER: five',
    )
  })

  test.each([
    ['Name this.', 6],
    ['{{prompt}}', 1],
    ['{{MESSAGES:END:2}} {{messages:end:4}}', 4],
    ['{{MESSAGES:END:0}}', 0],
    ['{{MESSAGES:END:999}}', 50],
    ['{{MESSAGES}} {{MESSAGES:END:2}}', 50],
    ['{{MESSAGES:START:2}}', Infinity],
    ['{{MESSAGES:END:2}} {{MESSAGES:MIDDLETRUNCATE:2}}', Infinity],
  ])('%j is filled from the last %d messages as from all', (template, count) => {
    const long = Array.from({ length: 99 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `text ${index}`,
    }))
    expect(countShown(template)).toBe(count)
    const end = count === 0 ? [] : long.slice(-count)
    expect(fill(template, { messages: end })).toBe(fill(template, { messages: long }))
  })

  test('takes texts as they are, whatever they look like', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(fill('<{{prompt}}>', { prompt: text })).toBe(`<${text}>`)
        expect(fill('<{{prompt}}>', { prompt: `{{MESSAGES}} $& ${text}` })).toBe(
          `<{{MESSAGES}} $& ${text}>`,
        )
      }),
    )
  })
})

describe('JSON in what a model says', () => {
  test('is found whatever stands around it', () => {
    const noise = fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/["{}[\]\\]/g, ' '))
    fc.assert(
      fc.property(
        noise,
        fc.array(fc.string({ maxLength: 40 }), { maxLength: 6 }),
        noise,
        (before, tags, after) => {
          expect(
            readField(`${before}${JSON.stringify({ other: '}', tags })}${after}`, 'tags'),
          ).toEqual(tags)
        },
      ),
    )
  })

  test('never fails, and gives short texts without doubles', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (said) => {
        const list = readList(said, 'tags')
        expect(new Set(list).size).toBe(list.length)
        expect(list.every((entry) => entry.trim() !== '' && entry.length <= 500)).toBe(true)
      }),
    )
  })

  test('is read from a text of a megabyte of brackets', () => {
    expect(readList('{['.repeat(500_000), 'tags')).toEqual([])
  })
})
