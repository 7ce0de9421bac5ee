import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeMath } from './normalize-math.ts'

describe('formulas', () => {
  it.each([
    ['a $x^2$ b', 'a $$x^2$$ b'],
    ['let $n$ be', 'let $$n$$ be'],
    ['$\\alpha + \\beta$', '$$\\alpha + \\beta$$'],
    ['see \\(x + 1\\).', 'see $$x + 1$$.'],
    ['inline $$y$$ too', 'inline $$y$$ too'],
    ['\\[\nx = 1\n\\]', '$$\nx = 1\n$$'],
    ['$$x = 1$$', '$$\nx = 1\n$$'],
    ['  \\[ x \\]', '  $$\n  x\n  $$'],
    ['$$\nx\n$$', '$$\nx\n$$'],
    ['so \\[ x \\] holds', 'so $$x$$ holds'],
  ])('%o becomes %o', (text, expected) => {
    expect(normalizeMath(text)).toBe(expected)
  })
})

describe('money and code stay what they are', () => {
  it.each([
    'It costs $5 or $10.',
    'From $5-$10 a month',
    'US$ 20, then 30 $ more',
    'a $20k to $30k range',
    'pay $5, or 10$ later',
    'export PATH=$HOME/bin:$PATH',
    'no \\$x\\$ here',
    '`$x^2$` in code',
    '``a ` $x^2$``',
    '```sh\necho $a^2$\n```',
    '~~~\n$x^2$\n~~~',
    'an open $x',
    'an open \\(x',
    'an open \\[x\n\ny\\]',
    '$ x $',
    '$$',
    'a line $a\nb^2$ break',
  ])('%o', (text) => {
    expect(normalizeMath(text)).toBe(text)
  })
})

it('text without dollar signs and brackets is returned as it came', () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !/[$\\]/.test(text)),
      (text) => normalizeMath(text) === text,
    ),
  )
})

it('never throws and never loses a letter, whatever the text', () => {
  const letters = (text: string): string => text.replaceAll(/[^a-z]/g, '')
  const text = fc
    .array(
      fc.constantFrom(
        '$',
        '$$',
        '\\(',
        '\\)',
        '\\[',
        '\\]',
        '`',
        '```',
        '~~~',
        '\n',
        ' ',
        'a',
        'b^2',
        '5',
        '\\',
      ),
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (source) => letters(normalizeMath(source)) === letters(source)),
    { numRuns: 2000 },
  )
})
