import { describe, expect, it } from 'vitest'
import { drawProvider } from '../../ui/provider-marks/mark-drawings.ts'
import {
  PROVIDER_PRESETS,
  RUNTIME_PRESETS,
  findPreset,
  isRuntime,
  isTemplate,
  presetOf,
  searchPresets,
} from './presets.ts'
import { isHostAlone, readAddress } from './read-address.ts'

describe('an address', () => {
  it.each([
    ['https://api.example.com/v1', 'https://api.example.com/v1'],
    ['api.example.com/v1/', 'https://api.example.com/v1'],
    [' https://api.example.com/v1/chat/completions ', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/models/', 'https://api.example.com/v1'],
    ['"https://api.example.com/v1/embeddings?version=2"', 'https://api.example.com/v1'],
    ['localhost:1234', 'http://localhost:1234'],
    ['192.168.1.20:8000/v1', 'http://192.168.1.20:8000/v1'],
    ['nas:11434', 'http://nas:11434'],
    ['studio.local:1234/v1', 'http://studio.local:1234/v1'],
    ['10.example.com', 'https://10.example.com'],
    ['ftp://example.com', 'ftp://example.com'],
    ['', ''],
  ])('%j is read as %j', (typed, meant) => {
    expect(readAddress(typed, 'compatible')).toBe(meant)
  })

  it('of a runtime is read without the path of a call', () => {
    expect(readAddress('localhost:11434/api/chat', 'runtime')).toBe('http://localhost:11434')
    expect(readAddress('http://127.0.0.1:11434/v1/', 'runtime')).toBe('http://127.0.0.1:11434')
    expect(readAddress('api.example.com/v1/messages', 'messages')).toBe(
      'https://api.example.com/v1',
    )
  })

  it('is told from one with a path', () => {
    expect([isHostAlone('https://a.example'), isHostAlone('https://a.example/v1')]).toEqual([
      true,
      false,
    ])
  })
})

describe('presets', () => {
  it('are at least twenty, each with an address that is taken as it stands and a page for keys', () => {
    expect(PROVIDER_PRESETS.length).toBeGreaterThanOrEqual(20)
    expect(new Set(PROVIDER_PRESETS.map(({ id }) => id)).size).toBe(PROVIDER_PRESETS.length)
    for (const { keyPage } of PROVIDER_PRESETS) expect(keyPage).toMatch(/^https:\/\/[a-z]/)
    for (const { url, kind } of PROVIDER_PRESETS.filter((preset) => !isTemplate(preset)))
      expect(readAddress(url, kind)).toBe(url)
  })

  it('have a mark each, except one provider and the runtimes of which there is none', () => {
    const ids = [...PROVIDER_PRESETS, ...RUNTIME_PRESETS].map(({ id }) => id)
    expect(ids.filter((id) => drawProvider(id) === null)).toEqual([
      'scaleway',
      'llama-cpp',
      'jan',
      'koboldcpp',
      'localai',
      'gpt4all',
      'sglang',
      'text-generation-webui',
    ])
  })

  it('are found by name, by what they are known for and by address', () => {
    expect(searchPresets('claude').map(({ id }) => id)).toEqual(['anthropic'])
    expect(searchPresets('api.x.ai').map(({ id }) => id)).toEqual(['xai'])
    expect(searchPresets('nobody')).toEqual([])
    expect(presetOf('https://api.mistral.ai/v1')?.name).toBe('Mistral AI')
    expect(presetOf('https://mine.openai.azure.com/openai/v1')?.id).toBe('azure')
    expect(presetOf('http://127.0.0.1:1')).toBeNull()
  })

  it('know the programs people run themselves, each by an address that is taken as it stands', () => {
    const ids = RUNTIME_PRESETS.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['ollama', 'lm-studio', 'llama-cpp', 'vllm']))
    for (const preset of RUNTIME_PRESETS) {
      expect(isRuntime(preset) && !isTemplate(preset), preset.id).toBe(true)
      expect(readAddress(preset.url, preset.kind)).toBe(preset.url)
      expect(findPreset(preset.id)).toBe(preset)
    }
    expect(new Set([...ids, ...PROVIDER_PRESETS.map(({ id }) => id)]).size).toBe(
      ids.length + PROVIDER_PRESETS.length,
    )
    expect(searchPresets('lmstudio').map(({ id }) => id)).toEqual(['lm-studio'])
  })

  it('give a program its mark by a port that is its own, and none by one that several share', () => {
    expect(presetOf('http://localhost:11434')?.id).toBe('ollama')
    expect(presetOf('http://[::1]:1234/v1')?.id).toBe('lm-studio')
    expect(presetOf('http://127.0.0.1:8080/v1')).toBeNull()
    expect(presetOf('http://192.168.1.7:11434')).toBeNull()
  })
})
