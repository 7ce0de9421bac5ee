import { afterEach, describe, expect, it, vi } from 'vitest'
import { newId } from './new-id.ts'

const RANDOM = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

afterEach(() => vi.unstubAllGlobals())

describe('an id', () => {
  it('is a random one where the browser makes it', () => expect(newId()).toMatch(RANDOM))

  it('is a random one on a page the browser does not trust, too', () => {
    const random = crypto.getRandomValues.bind(crypto)
    vi.stubGlobal('crypto', { getRandomValues: random })
    const ids = Array.from({ length: 50 }, newId)
    for (const id of ids) expect(id).toMatch(RANDOM)
    expect(new Set(ids).size).toBe(50)
  })
})
