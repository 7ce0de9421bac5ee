import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtInValues } from './built-in-values.ts'
import { fillVariables, initialValues, readVariables } from './prompt-variables.ts'

describe('variables of a prompt', () => {
  it('are asked once each, and built-in names not at all', () => {
    const names = readVariables(
      '{{topic}} and {{ topic }} on {{CURRENT_DATE}} by {{USER_NAME}} for {{audience}}',
    ).map(({ name }) => name)
    expect(names).toEqual(['topic', 'audience'])
  })

  it('have a kind, options and limits', () => {
    const [tone, count, agreed] = readVariables(
      '{{tone | select:options=["short","a: long"]:default="a: long"}} {{count | number:min=1:max=9}} {{agreed | checkbox:label="All, agreed?"}}',
    )
    expect(tone).toMatchObject({
      kind: 'select',
      options: ['short', 'a: long'],
      initial: 'a: long',
    })
    expect(count).toMatchObject({ kind: 'number', min: '1', max: '9' })
    expect(agreed).toMatchObject({ kind: 'checkbox', label: 'All, agreed?' })
  })

  it('can be required, have a hint and several lines', () => {
    expect(
      readVariables('{{text | textarea:placeholder="What happened?":required}}')[0],
    ).toMatchObject({
      kind: 'textarea',
      placeholder: 'What happened?',
      required: true,
    })
  })

  it('are lines of text when the kind is unknown or a choice has no options', () => {
    const unknown = readVariables('{{a | hologram}} {{b | select}} {{c | constructor}}')
    expect(unknown.map(({ kind }) => kind)).toEqual(['text', 'text', 'text'])
  })

  it('are taken from the mention that defines them', () => {
    expect(readVariables('{{when}} … {{when | date}}')).toMatchObject([
      { name: 'when', kind: 'date' },
    ])
  })

  it('ask for the clipboard in a box of its own', () => {
    expect(readVariables('{{CLIPBOARD}}')).toMatchObject([{ name: 'CLIPBOARD', kind: 'textarea' }])
  })

  it('begin with their default, a choice with its first option', () => {
    const start = initialValues(
      readVariables('{{a | select:options=["x","y"]}}{{b:c | text:default="z"}}{{d | checkbox}}'),
    )
    expect([...start.values()]).toEqual(['x', 'z', 'false'])
  })
})

describe('filling a prompt', () => {
  it('puts values in place of every mention and leaves unknown braces', () => {
    expect(fillVariables('{{a}} {{ a | date}} {{b}}', new Map([['a', '$& 1']]))).toBe(
      '$& 1 $& 1 {{b}}',
    )
  })

  it('knows the day and the person', () => {
    const values = builtInValues(
      { name: 'Ada', email: 'ada@example.com' },
      new Date(2026, 10, 2, 9, 5, 7),
    )
    expect(
      fillVariables('{{CURRENT_DATE}} {{CURRENT_TIME}} {{CURRENT_WEEKDAY}} {{USER_NAME}}', values),
    ).toBe('2026-11-02 09:05:07 Monday Ada')
  })

  it('never loses text around variables, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        fc.pre(!/[{}]/.test(before + after))
        expect(fillVariables(`${before}{{x}}${after}`, new Map([['x', 'v']]))).toBe(
          `${before}v${after}`,
        )
      }),
    )
  })

  it('reads any text without failing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        readVariables(`{{${text}}}{{a|${text}}}`)
      }),
    )
  })
})
