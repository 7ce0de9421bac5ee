import type { ChatCompletionChunk } from '#contract/completions.ts'
import { toPictureFile, type Images } from '../../images/index.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { CompletionFrame } from '../../providers/index.ts'
import type { Exchange } from '../exchange.ts'
import { lastQuestion } from '../follow-up/fill-template.ts'
import { addressOfImage, listImages } from '../../lib/images/image-parts.ts'

type Frames = AsyncGenerator<CompletionFrame, void, void>
type Choice = ChatCompletionChunk['choices'][number]

/** Higher than the number of images any model puts into one answer. */
const MOST_PICTURES = 16

const hasImages = ({ delta }: Choice): boolean => listImages(delta).length > 0

/**
 * Stores the images of an answer as files of the user, so that messages reference them instead of
 * holding megabytes; readers of the stream receive URLs instead of the bytes.
 */
export async function* keepReceived(images: Images, exchange: Exchange, frames: Frames): Frames {
  let count = 0
  for await (const frame of frames) {
    const choices = 'choices' in frame ? (frame as ChatCompletionChunk).choices : []
    if (!choices.some(hasImages)) {
      yield frame
      continue
    }
    const kept: Choice[] = []
    for (const choice of choices) {
      const parts = listImages(choice.delta).slice(0, MOST_PICTURES - count)
      count += parts.length
      kept.push(
        parts.length === 0
          ? choice
          : {
              ...choice,
              delta: { ...choice.delta, images: await keepParts(images, exchange, parts) },
            },
      )
    }
    yield { ...(frame as ChatCompletionChunk), choices: kept }
  }
}

async function keepParts(
  images: Images,
  exchange: Exchange,
  parts: readonly unknown[],
): Promise<unknown[]> {
  const kept: unknown[] = []
  for (const part of parts) {
    const url = await keepOne(images, exchange, addressOfImage(part))
    if (url !== null) kept.push({ type: 'image_url', image_url: { url } })
  }
  return kept
}

/**
 * Returns the URL of the file; null for an image that cannot be stored, of which the user is
 * notified.
 */
async function keepOne(
  images: Images,
  exchange: Exchange,
  address: string | null,
): Promise<string | null> {
  const { caller, chatId, messageId, resolved, sent, signal } = exchange
  if (address === null) return null
  const isStored = exchange.turn?.temporarySession === null
  const facts = {
    model: resolved.publicId,
    prompt: lastQuestion(sent.messages),
    chat_id: isStored ? chatId : null,
    message_id: isStored ? messageId : null,
  }
  try {
    const picture = await images.keepFrom(caller.userId, address, facts, signal)
    exchange.tell({ type: 'files', data: { files: [toPictureFile(picture)] } })
    return picture.url
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError)) throw error
    const description = `A picture of the answer is left out. ${error.message}`
    exchange.tell({
      type: 'status',
      data: { action: 'image_generation', description, done: true, error: true },
    })
    return null
  }
}
