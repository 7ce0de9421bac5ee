// @vitest-environment jsdom
import { expect, test } from 'vitest'
import '../../lib/strings/connections.ts'
import { nameOfConnection, variableOf } from './connection-name.ts'

const fromEnvironment = (url: string, name = new URL(url).hostname, overridden: 'name'[] = []) =>
  nameOfConnection({ url, name, origin: 'environment', overridden })

test('a connection of the environment has the name of its provider', () => {
  expect(fromEnvironment('https://api.openai.com/v1')).toBe('OpenAI')
  expect(fromEnvironment('https://openrouter.ai/api/v1')).toBe('OpenRouter')
})

test('without a known provider it says where it comes from and its host', () => {
  expect(fromEnvironment('http://127.0.0.1:39399/v1')).toBe('From the environment (127.0.0.1)')
  expect(fromEnvironment('https://models.example.org/v1')).toBe(
    'From the environment (models.example.org)',
  )
})

test('a name that an administrator gave it stays, and so does that of any other', () => {
  expect(fromEnvironment('https://api.openai.com/v1', 'Work')).toBe('Work')
  expect(fromEnvironment('https://api.openai.com/v1', 'api.openai.com', ['name'])).toBe(
    'api.openai.com',
  )
  expect(
    nameOfConnection({
      name: '127.0.0.1',
      url: 'http://127.0.0.1:39399/v1',
      origin: 'stored',
      overridden: [],
    }),
  ).toBe('127.0.0.1')
})

test('the variable is the one the gateway names in its own messages', () => {
  expect(variableOf({ kind: 'runtime' })).toBe('LLMHOST_BASE_URLS')
  expect(variableOf({ kind: 'compatible' })).toBe('OPENAI_API_BASE_URLS')
})
