import { describe, expect, it } from 'vitest'
import { toPluginId } from './plugin-kinds.ts'
import { readFields, withoutDefaults } from './valve-fields.ts'

const spec = {
  properties: {
    api_key: {
      type: 'string',
      title: 'Api Key',
      description: 'The key',
      default: '',
      input: { type: 'password' },
    },
    days: { type: 'integer', default: 3 },
    ratio: { anyOf: [{ type: 'number' }, { type: 'null' }], default: null },
    unit: { enum: ['metric', 'imperial'], default: 'metric', type: 'string' },
    city: {
      type: 'string',
      input: { type: 'select', options: [{ value: 'osl', label: 'Oslo' }, 'Bergen'] },
    },
    loud: { type: 'boolean', default: false },
    note: { type: 'string', input: { type: 'textarea' } },
    table: { type: 'object', additionalProperties: { type: 'integer' } },
  },
  required: ['city'],
}

describe('the settings of a plugin', () => {
  it('become fields of their kinds', () => {
    expect(readFields(spec).map(({ name, kind }) => [name, kind])).toEqual([
      ['api_key', 'secret'],
      ['days', 'number'],
      ['ratio', 'number'],
      ['unit', 'select'],
      ['city', 'select'],
      ['loud', 'switch'],
      ['note', 'long'],
      ['table', 'json'],
    ])
    expect(readFields(spec).find(({ name }) => name === 'city')).toMatchObject({
      isRequired: true,
      options: [
        { value: 'osl', label: 'Oslo' },
        { value: 'Bergen', label: 'Bergen' },
      ],
    })
  })

  it.each([[null], [{}], [{ properties: [] }], ['text'], [{ properties: { a: 5 } }]])(
    '%j has none',
    (odd) => {
      expect(readFields(odd)).toEqual([])
    },
  )

  it('what is left empty is not stored, so that the default holds', () => {
    expect(
      withoutDefaults(readFields(spec), {
        api_key: '',
        days: 0,
        ratio: null,
        loud: false,
        other: 1,
      }),
    ).toEqual({
      days: 0,
      loud: false,
    })
  })
})

it.each([
  ['Word counter', 'word_counter'],
  ['  Über-Tool 2! ', 'uber_tool_2'],
  ['3 things', '_3_things'],
  ['天気', ''],
])('%j becomes the id %j', (name, id) => {
  expect(toPluginId(name)).toBe(id)
})
