import { expect, it } from 'vitest'
import { basePath, readBasePath, withBase } from './base-path.ts'

it('finds the path of a proxy by the address of a script', () => {
  expect(readBasePath('https://chat.example.org/assets/index-abc.js')).toBe('')
  expect(readBasePath('https://example.org/chat/assets/index-abc.js')).toBe('/chat')
  expect(readBasePath('https://example.org/a/assets/b/assets/index-abc.js')).toBe('/a/assets/b')
  expect(readBasePath('http://localhost:5173/lib/base-path.ts')).toBe('')
})

it('leaves addresses of others as they are', () => {
  expect(basePath).toBe('')
  for (const address of [
    'https://example.org/x',
    '//example.org/x',
    'data:image/png;base64,AA==',
    'relative',
  ])
    expect(withBase(address)).toBe(address)
  expect(withBase('/api/models')).toBe('/api/models')
})
