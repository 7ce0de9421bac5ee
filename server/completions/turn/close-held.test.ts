import { expect, test, vi } from 'vitest'
import { closeHeld } from './close-held.ts'

const TASK = { chatId: 'chat', messageId: 'answer', writer: 'gateway run' }

test('an answer whose beginning may have been stored is ended once the database is back', async () => {
  vi.useFakeTimers()
  try {
    const saveAnswer = vi
      .fn<Parameters<typeof closeHeld>[0]['saveAnswer']>()
      .mockRejectedValueOnce(new Error('away'))
      .mockResolvedValue(true)
    const closed = closeHeld({ saveAnswer }, TASK)
    await vi.advanceTimersByTimeAsync(5000)
    expect(await closed).toBe(true)
    expect(saveAnswer).toHaveBeenCalledTimes(2)
    expect(saveAnswer).toHaveBeenLastCalledWith(
      'chat',
      'answer',
      { done: true, error: expect.objectContaining({ code: 'interrupted' }) },
      { writer: 'gateway run' },
    )
  } finally {
    vi.useRealTimers()
  }
})

test('nothing is ended of a gateway that has its database to itself', async () => {
  const saveAnswer = vi.fn<Parameters<typeof closeHeld>[0]['saveAnswer']>()
  expect(await closeHeld({ saveAnswer }, { ...TASK, writer: null })).toBe(false)
  expect(saveAnswer).not.toHaveBeenCalled()
})
