import type { Reader } from '../reader.ts'
import { readText } from '../decode-text.ts'
import { Refusal } from '../refusal.ts'
import { languageOf } from '../programming-languages.ts'

const LARGEST_TEXT_MEBIBYTES = 256

/** Writes a file unchanged, in constant memory regardless of its size. */
const copyText: (...input: Parameters<Reader>) => Promise<void> = async (
  file,
  { sink, progress },
) => {
  if (file.size > LARGEST_TEXT_MEBIBYTES * 1024 * 1024)
    throw new Refusal(
      `Text files can be up to ${LARGEST_TEXT_MEBIBYTES} MB. Split this one into smaller files.`,
    )
  for await (const piece of readText(file.path, { onBytes: (read) => progress(read, file.size) })) {
    sink.write(piece)
    await sink.flush()
  }
}

export const readPlainText: Reader = async (file, target) => {
  await copyText(file, target)
  return { format: 'text' }
}

export const readMarkdown: Reader = async (file, target) => {
  await copyText(file, target)
  return { format: 'markdown' }
}

export const readCode: Reader = async (file, target) => {
  await copyText(file, target)
  return { format: 'code', language: languageOf(file.filename) }
}
