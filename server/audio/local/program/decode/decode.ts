import { readFile } from 'node:fs/promises'
import { SpeechFault } from '../fault.ts'
import { decodeOpus } from './decode-opus.ts'
import { measureMp3 } from './measure-mp3.ts'
import { isOgg, readOgg } from './read-ogg.ts'
import { isWav, readWav } from './read-wav.ts'
import { isWebm, readWebm } from './read-webm.ts'
import { isTooLong, tooLong } from './samples.ts'

/** Input for the engine: samples, or a recording file it reads by itself. */
export type Sound = { readonly samples: Int16Array } | { readonly file: string }

const isMp4 = (bytes: Buffer): boolean => bytes.toString('latin1', 4, 8) === 'ftyp'

/** Decodes a recording by its content, regardless of its name. */
export async function decode(file: string): Promise<Sound> {
  const bytes = await readFile(file)
  if (isWav(bytes)) return { samples: readWav(bytes).take() }
  if (isWebm(bytes)) return { samples: (await decodeOpus(readWebm(bytes))).take() }
  if (isOgg(bytes)) return { samples: (await decodeOpus(readOgg(bytes))).take() }
  if (isMp4(bytes))
    throw new SpeechFault(
      400,
      'Recordings in M4A or MP4 cannot be read on the gateway’s computer, which has no decoder for AAC. Save it as WAV, MP3, WebM or Ogg with Opus, for example with "ffmpeg -i recording.m4a recording.mp3", and send it again.',
    )
  const seconds = measureMp3(bytes)
  if (seconds === null)
    throw new SpeechFault(
      400,
      'Recordings of this format cannot be read on the gateway’s computer. Save it as WAV, MP3, WebM or Ogg with Opus, and send it again.',
    )
  if (isTooLong(seconds)) throw tooLong()
  return { file }
}
