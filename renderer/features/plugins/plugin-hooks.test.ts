import { describe, expect, it } from 'vitest'
import { functionHooks, toolHooks } from './plugin-hooks.ts'

const argumentsOf = (parameters: Record<string, unknown>): unknown =>
  JSON.parse(toolHooks([{ name: 'look', description: 'Looks.', parameters }])[0]!.example)

describe('what the console can call of a tool', () => {
  it('comes with what each function needs', () => {
    const properties = {
      text: { type: 'string' },
      count: { type: 'integer' },
      unit: { type: 'string', enum: ['km', 'mi'] },
      fast: { type: 'boolean', default: true },
      places: { type: 'array' },
      odd: 7,
      later: { type: 'string' },
    }
    expect(
      argumentsOf({ properties, required: ['text', 'count', 'unit', 'fast', 'places', 'odd'] }),
    ).toEqual({
      text: '',
      count: 0,
      unit: 'km',
      fast: true,
      places: [],
      odd: null,
    })
  })

  it('names every parameter when none is needed, and none when there are none', () => {
    expect(argumentsOf({ properties: { a: { type: 'number' } } })).toEqual({ a: 0 })
    expect(argumentsOf({})).toEqual({})
    expect(argumentsOf({ properties: { a: { type: '__proto__' } } })).toEqual({ a: null })
  })
})

describe('what the console can call of a function', () => {
  it('is what its source defines, in the order of a request', () => {
    const source =
      'class Filter:\n    def outlet(self, body): ...\n    async def inlet(self, body): ...\n'
    expect(functionHooks('filter', source).map(({ name }) => name)).toEqual(['inlet', 'outlet'])
  })

  it('is everything of its kind when the source defines none by name', () => {
    expect(functionHooks('filter', 'Filter = make()').map(({ name }) => name)).toEqual([
      'inlet',
      'stream',
      'outlet',
    ])
    expect(JSON.parse(functionHooks('pipe', '')[0]!.example)).toMatchObject({
      messages: [{ role: 'user' }],
    })
  })
})
