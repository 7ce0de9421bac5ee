import { expect, test, vi } from 'vitest'
import { createPageCache } from './page-cache.ts'

test('A page is fetched once in ten minutes, as long as its address is allowed', async () => {
  vi.useFakeTimers()
  try {
    const fetched: string[] = []
    let isAllowed = true
    const read = createPageCache(
      (url) => {
        fetched.push(url)
        return Promise.resolve({ url, title: null, text: 'A text' })
      },
      () => {
        if (!isAllowed) throw new Error('refused')
      },
    )
    const { signal } = new AbortController()
    await read('https://example.org/a', signal)
    expect(await read('https://example.org/a', signal)).toMatchObject({ text: 'A text' })
    await read('https://example.org/b', signal)
    expect(fetched).toEqual(['https://example.org/a', 'https://example.org/b'])
    isAllowed = false
    await expect(read('https://example.org/a', signal)).rejects.toThrow('refused')
    isAllowed = true
    vi.advanceTimersByTime(11 * 60 * 1000)
    await read('https://example.org/a', signal)
    expect(fetched).toHaveLength(3)
  } finally {
    vi.useRealTimers()
  }
})
