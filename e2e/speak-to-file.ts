import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const HEAD_BYTES = 44

/**
 * Writes the speech of `espeak-ng` to a WAV file between silences, for a browser's fake microphone.
 */
export function speakToFile(
  text: string,
  { before, after }: { readonly before: number; readonly after: number },
): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'spoken-'))
  const spoken = path.join(folder, 'spoken.wav')
  execFileSync('espeak-ng', ['-v', 'en', '-s', '150', '-a', '180', '-w', spoken, text])
  const bytes = readFileSync(spoken)
  const rate = bytes.readUInt32LE(24)
  const silence = (seconds: number): Buffer => Buffer.alloc(Math.round(rate * seconds) * 2)
  const samples = Buffer.concat([silence(before), bytes.subarray(HEAD_BYTES), silence(after)])
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES))
  head.writeUInt32LE(HEAD_BYTES - 8 + samples.length, 4)
  head.writeUInt32LE(samples.length, 40)
  const file = path.join(folder, 'microphone.wav')
  writeFileSync(file, Buffer.concat([head, samples]))
  return file
}
