import { expect, test, vi } from 'vitest'
import { Speaker } from './speaker.ts'
import type { Voice } from './voices.ts'

/** A voice whose sentences end when the test says so. */
function createVoice() {
  const asked: string[] = []
  const heard: string[] = []
  const discarded: string[] = []
  let end = (): void => undefined
  const voice: Voice = (text) => {
    asked.push(text)
    return Promise.resolve({
      play(signal) {
        heard.push(text)
        return new Promise((resolve) => {
          end = resolve
          signal.addEventListener('abort', () => resolve())
        })
      },
      discard: () => void discarded.push(text),
    })
  }
  return { voice, asked, heard, discarded, end: () => end() }
}

test('sentences are heard in their order, and the next ones are made ready meanwhile', async () => {
  const { voice, asked, heard, discarded, end } = createVoice()
  const speaker = new Speaker(voice)
  speaker.say(['one', 'two', 'three', 'four'])
  speaker.complete()
  await vi.waitFor(() => expect(heard).toEqual(['one']))
  expect(asked).toEqual(['one', 'two', 'three'])
  expect(speaker.store.getState()).toMatchObject({ status: 'speaking', caption: 'one' })
  for (const [count] of ['two', 'three', 'four'].entries()) {
    end()
    await vi.waitFor(() => expect(heard).toHaveLength(count + 2))
  }
  end()
  await speaker.done
  expect(heard).toEqual(['one', 'two', 'three', 'four'])
  expect(discarded).toEqual(heard)
  expect(speaker.store.getState()).toMatchObject({ status: 'idle', problem: null })
})

test('what comes later goes on after a silence', async () => {
  const { voice, heard, end } = createVoice()
  const speaker = new Speaker(voice)
  speaker.say(['one'])
  await vi.waitFor(() => expect(heard).toEqual(['one']))
  end()
  await vi.waitFor(() => expect(speaker.store.getState().status).toBe('preparing'))
  speaker.say(['two'])
  await vi.waitFor(() => expect(heard).toEqual(['one', 'two']))
  speaker.complete()
  end()
  await speaker.done
})

test('stopping is heard at once, and gives back everything', async () => {
  const { voice, heard, discarded } = createVoice()
  const speaker = new Speaker(voice)
  speaker.say(['one', 'two', 'three', 'four'])
  await vi.waitFor(() => expect(heard).toEqual(['one']))
  speaker.stop()
  await speaker.done
  speaker.say(['five'])
  await vi.waitFor(() => expect(discarded.toSorted()).toEqual(['one', 'three', 'two']))
  expect(heard).toEqual(['one'])
})

test('a sentence that cannot be made ends it with the reason', async () => {
  const { voice } = createVoice()
  const speaker = new Speaker((text, signal) =>
    text === 'two' ? Promise.reject(new Error('The engine is away.')) : voice(text, signal),
  )
  speaker.say(['two', 'three'])
  await speaker.done
  expect(speaker.store.getState().problem).not.toBeNull()
})
