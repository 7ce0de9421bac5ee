import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeMeta, mergePreset } from './merge-preset.ts'
import type { Fields, StoredModel } from './stored-model.ts'

const row = (params: Fields, meta: Fields = {}): StoredModel => ({
  id: 'm',
  user_id: null,
  base_model_id: null,
  name: 'M',
  params,
  meta,
  is_active: true,
  created_at: 0,
  updated_at: 0,
})
const NOTHING = { params: {}, meta: {} }
const fields = fc.dictionary(
  fc.constantFrom('system', 'temperature', 'top_p', 'stop', 'seed'),
  fc.oneof(fc.constant(null), fc.integer(), fc.string()),
)

describe('what a model brings along', () => {
  it('is nothing where nobody said anything', () => {
    expect(mergePreset({ defaults: NOTHING, base: null, row: null })).toBeNull()
    expect(
      mergePreset({
        defaults: { params: { top_p: null }, meta: {} },
        base: row({}),
        row: row({ system: '' }),
      }),
    ).toBeNull()
  })

  it('comes from the model, else from its base, else from the defaults, for every field', () => {
    fc.assert(
      fc.property(fields, fields, fields, (params, base, own) => {
        const merged = mergePreset({
          defaults: { params, meta: {} },
          base: row(base),
          row: row(own),
        })
        const all = { ...merged?.params, system: merged?.system ?? undefined }
        for (const key of ['system', 'temperature', 'top_p', 'stop', 'seed'] as const) {
          const wanted = own[key] ?? base[key] ?? params[key] ?? undefined
          const isText = key !== 'system' || (typeof wanted === 'string' && wanted !== '')
          expect((all as Fields)[key]).toEqual(isText ? wanted : undefined)
        }
      }),
    )
  })

  it('joins capabilities one by one', () => {
    const layers = [
      { capabilities: { vision: true, usage: true } },
      { capabilities: { vision: false }, tags: [] },
      { capabilities: null },
    ]
    expect(mergeMeta(layers)).toEqual({ capabilities: { vision: false, usage: true }, tags: [] })
  })
})
