import { describe, expect, it } from 'vitest'
import { followTitle, readFrontMatter } from './front-matter.ts'

const source = (title: string): string =>
  `"""\ntitle: ${title}\nauthor: somebody\ndescription: Adds: a line\ntitle: later\n"""\nclass Filter: ...`

describe('the head of a source', () => {
  it('tells title and description, the first of each', () => {
    expect(readFrontMatter(source('Polite'))).toEqual({
      title: 'Polite',
      description: 'Adds: a line',
    })
    expect(readFrontMatter(`\n'''\nTitle : Single\n'''`)).toEqual({
      title: 'Single',
      description: '',
    })
  })

  it.each(['', 'class Tools: ...', '"""never closed\ntitle: x', '# title: comment'])(
    '%j tells nothing',
    (text) => {
      expect(readFrontMatter(text)).toEqual({ title: '', description: '' })
    },
  )
})

describe('the name of a new plugin', () => {
  it('follows the source until somebody types one', () => {
    expect(followTitle('', source('A'), source('B'))).toBe('B')
    expect(followTitle('A', source('A'), source('B'))).toBe('B')
    expect(followTitle('Mine', source('A'), source('B'))).toBe('Mine')
  })

  it('stays while the new source has none', () => {
    expect(followTitle('A', source('A'), 'class Tools: ...')).toBe('A')
  })
})
