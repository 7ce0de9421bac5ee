import { expect, test } from 'vitest'
import type { Setting } from '#contract/settings.ts'
import { hasKey, toEngineDraft, toEngineValues, withKind } from './engine-draft.ts'
import { fillTemplate } from './fill-template.ts'
import { findUnplaced } from './setting-groups.ts'

const setting = (key: string, value: string, isSet = false): Setting =>
  ({ key, value, is_set: isSet, type: 'string', group: 'documents' }) as Setting

const settings = [
  setting('RAG_EMBEDDING_ENGINE', 'openai'),
  setting('RAG_EMBEDDING_MODEL', 'm'),
  setting('RAG_OPENAI_API_BASE_URL', 'https://a.example/v1'),
  setting('RAG_OPENAI_API_KEY', '', true),
  setting('RAG_LLMHOST_BASE_URL', 'http://runtime:1'),
]

test('the form of an engine is read from the settings and back; an empty key stays what it was', () => {
  const draft = toEngineDraft(settings)
  expect(draft).toEqual({ kind: 'endpoint', model: 'm', url: 'https://a.example/v1', key: '' })
  expect(hasKey(settings, 'endpoint')).toBe(true)
  expect(hasKey(settings, 'runtime')).toBe(false)
  expect(toEngineValues(draft)).not.toHaveProperty('RAG_OPENAI_API_KEY')
  expect(toEngineValues({ ...draft, key: 'secret' })['RAG_OPENAI_API_KEY']).toBe('secret')
  expect(withKind(draft, 'runtime', settings).url).toBe('http://runtime:1')
  expect(toEngineValues(withKind(draft, 'built-in', settings))).toEqual({
    RAG_EMBEDDING_ENGINE: '',
  })
})

test('a template shows its sources and question in either spelling', () => {
  expect(fillTemplate('{{CONTEXT}} – [query] {{ other }}', { context: '$1', query: 'Q' })).toBe(
    '$1 – Q {{ other }}',
  )
})

test('a setting without a place is not lost', () => {
  expect(
    findUnplaced([...settings, setting('RAG_NEW', ''), setting('TOP_K', '3')]).map(
      ({ key }) => key,
    ),
  ).toEqual(['RAG_NEW'])
})
