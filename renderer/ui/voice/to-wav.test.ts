import { afterEach, expect, test, vi } from 'vitest'
import { encodeWav, toWav } from './to-wav.ts'

afterEach(() => vi.unstubAllGlobals())

/** Stands for the browser's decoder. */
function decodeAs(decode: () => Promise<unknown>): void {
  vi.stubGlobal(
    'OfflineAudioContext',
    class {
      decodeAudioData = decode
    },
  )
}

const soundOf = (...channels: Float32Array[]) => ({
  length: channels[0]!.length,
  numberOfChannels: channels.length,
  getChannelData: (index: number) => channels[index],
})

const read = async (blob: Blob): Promise<DataView> => new DataView(await blob.arrayBuffer())

test('a recording is written as 16 kHz WAV with the mean of its channels, clipped', async () => {
  const view = await read(encodeWav([Float32Array.of(0.5, 3, -3), Float32Array.of(0, 1, -1)]))
  expect(view.byteLength).toBe(44 + 6)
  expect(view.getUint32(24, true)).toBe(16_000)
  expect(view.getUint32(40, true)).toBe(6)
  expect([44, 46, 48].map((at) => view.getInt16(at, true))).toEqual([8192, 32_767, -32_767])
})

test('what the browser decodes becomes WAV; what it cannot decode, or is too long, stays as it is', async () => {
  decodeAs(() => Promise.resolve(soundOf(Float32Array.of(1, 0))))
  const wav = await toWav(new Blob(['m4a']))
  expect([wav!.type, wav!.size]).toEqual(['audio/wav', 48])
  decodeAs(() => Promise.reject(new DOMException('Unable to decode', 'EncodingError')))
  expect(await toWav(new Blob(['m4a']))).toBeNull()
  decodeAs(() => Promise.resolve({ ...soundOf(new Float32Array()), length: 10_000_001 }))
  expect(await toWav(new Blob(['m4a']))).toBeNull()
})
