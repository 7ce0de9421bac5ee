import { describe, expect, it } from 'vitest'
import { samplePicture } from '../../testing/picture-samples.ts'
import { findChat } from './known-pictures.ts'

const made = samplePicture({ id: 'a', chat_id: 'c', message_id: 'm' })
const varied = samplePicture({ id: 'b', source_ids: ['a'] })
const changed = samplePicture({ id: 'd', source_ids: ['b'] })

describe('the chat of a picture', () => {
  it('is the one it was made in, or the one its sources go back to', () => {
    const place = { chatId: 'c', messageId: 'm' }
    expect(findChat({}, made).place).toEqual(place)
    expect(findChat({ a: made, b: varied }, changed)).toEqual({ place, missing: null })
  })
  it('waits for a source that is not known yet, and ends at one that is gone', () => {
    expect(findChat({ b: varied }, changed)).toEqual({ place: null, missing: 'a' })
    expect(findChat({ a: null, b: varied }, changed)).toEqual({ place: null, missing: null })
  })
  it('ends where pictures lead back to themselves', () => {
    const loop = samplePicture({ id: 'x', source_ids: ['x'] })
    expect(findChat({ x: loop }, loop)).toEqual({ place: null, missing: null })
  })
})
