import { expect, test } from 'vitest'
import { isArtifactRequest } from './security.ts'

const ORIGIN = 'http://127.0.0.1:8642'

test('an artifact that was let out may ask others, and nothing else of the window may', () => {
  const frame = { url: `${ORIGIN}/frames/artifact.html?network=ticket` }
  const asks = (more: object, origin: string | null = ORIGIN): boolean =>
    isArtifactRequest(
      { url: 'https://api.example/data', resourceType: 'xhr', frame, ...more },
      origin,
    )
  expect(asks({})).toBe(true)
  expect(asks({ url: 'https://cdn.example/lib.js', resourceType: 'script' })).toBe(true)
  expect(asks({ url: 'wss://api.example/live', resourceType: 'webSocket' })).toBe(true)
  expect(asks({ url: 'file:///etc/passwd' })).toBe(false)
  expect(asks({ resourceType: 'subFrame' })).toBe(false)
  expect(asks({ resourceType: 'mainFrame' })).toBe(false)
  expect(asks({ frame: { url: `${ORIGIN}/frames/artifact.html` } })).toBe(false)
  expect(asks({ frame: { url: `${ORIGIN}/c/1?network=ticket` } })).toBe(false)
  expect(asks({ frame: { url: 'https://elsewhere.example/frames/artifact.html?network=x' } })).toBe(
    false,
  )
  expect(asks({ frame: null })).toBe(false)
  expect(asks({}, null)).toBe(false)
})
