import { describe, expect, it } from 'vitest'
import type { Setting } from '#contract/settings.ts'
import { EDITING, keysOf, MAKING } from './engine-keys.ts'
import { storedText, textOf, toValues } from '../../ui/settings/settings-draft.ts'
import { engineOf, toReached } from './picture-draft.ts'

const setting = (key: string, part: Partial<Setting> = {}): Setting => ({
  key,
  type: 'string',
  value: '',
  default: '',
  origin: 'default',
  locked: false,
  secret: false,
  is_set: false,
  help: '',
  group: 'network',
  ...part,
})
const rows = [
  setting('IMAGE_GENERATION_ENGINE', { value: 'comfyui' }),
  setting('IMAGE_STEPS', { type: 'integer', value: 20 }),
  setting('COMFYUI_BASE_URL', { value: 'http://127.0.0.1:8188' }),
  setting('COMFYUI_API_KEY', { secret: true, is_set: true, value: null }),
  setting('COMFYUI_WORKFLOW', { type: 'json', value: '{"1":{"a":1}}' }),
  setting('IMAGE_GENERATION_MODEL', { value: 'set outside', locked: true }),
]
const settings = new Map(rows.map((row) => [row.key, row]))
const keys = keysOf(MAKING, 'comfyui')

describe('what would be saved', () => {
  it('is only what differs from what is stored, each in its own type', () => {
    const draft = {
      IMAGE_STEPS: '30',
      COMFYUI_BASE_URL: ' http://[::1]:8188 ',
      IMAGE_GENERATION_ENGINE: 'comfyui',
    }
    expect(toValues(settings, draft, keys)).toEqual({
      IMAGE_STEPS: 30,
      COMFYUI_BASE_URL: 'http://[::1]:8188',
    })
  })
  it('leaves out what the environment decides and what belongs to another engine', () => {
    expect(
      toValues(settings, { IMAGE_GENERATION_MODEL: 'x', AUTOMATIC1111_BASE_URL: 'http://a' }, keys),
    ).toEqual({})
  })
  it('holds a key once it was typed, and takes it away when the box was emptied on purpose', () => {
    expect(storedText(settings, 'COMFYUI_API_KEY')).toBe('')
    expect(toValues(settings, {}, keys)).toEqual({})
    expect(toValues(settings, { COMFYUI_API_KEY: 'sk' }, keys)).toEqual({ COMFYUI_API_KEY: 'sk' })
    expect(toValues(settings, { COMFYUI_API_KEY: '' }, keys)).toEqual({ COMFYUI_API_KEY: '' })
  })
  it('does not count a workflow as changed that only has other line breaks', () => {
    const shown = textOf(settings, {}, 'COMFYUI_WORKFLOW')
    expect(shown).toContain('\n')
    expect(toValues(settings, { COMFYUI_WORKFLOW: shown }, keys)).toEqual({})
  })
})

it('the engine is the one that was chosen, and none for a word the page does not know', () => {
  expect(engineOf(settings, {}, MAKING)).toBe('comfyui')
  expect(engineOf(settings, { IMAGE_GENERATION_ENGINE: 'gemini' }, MAKING)).toBe('gemini')
  expect(engineOf(settings, { IMAGE_EDIT_ENGINE: 'automatic1111' }, EDITING)).toBeNull()
  expect(keysOf(MAKING, 'openai')).not.toContain('IMAGE_STEPS')
})

it.each([
  ['http://127.0.0.1:7860', { host: '127.0.0.1:7860', isHere: true }],
  ['http://localhost:8188/', { host: 'localhost:8188', isHere: true }],
  ['https://api.example.org/v1', { host: 'api.example.org', isHere: false }],
  ['http://127.0.0.1.example.org', { host: '127.0.0.1.example.org', isHere: false }],
  ['javascript:1', null],
  ['', null],
])('%s is reached at %j', (address, reached) => {
  expect(toReached(address)).toEqual(reached)
})
