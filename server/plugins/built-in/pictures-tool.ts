import type { Picture } from '#contract/images.ts'
import {
  readImageOptions,
  tellPictures,
  toPictureFile,
  toWanted,
  type Images,
} from '../../images/index.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { BuiltInCall, BuiltInTool, BuiltInToolFunction } from './contract.ts'
import { textOf } from './tool.ts'

interface PictureParts {
  readonly images: Images
}

const PROMPT = {
  type: 'string' as const,
  description: 'What is to be seen, in detail: subject, surroundings, style, light',
}
const SIZE = {
  type: 'string' as const,
  description: 'Width and height such as 1024x1024, only where the person asks for one',
}
const PICTURES = {
  type: 'array' as const,
  items: { type: 'string' as const },
  description: 'Addresses of the pictures to edit; left out, those of the last question',
}

/** Returns the user's choices in the conversation, which the model cannot override. */
function wantedBy({ metadata }: BuiltInCall, isEdit: boolean) {
  const features = metadata['features']
  return toWanted(readImageOptions(isRecord(features) ? features : null), isEdit)
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

/** Returns the chat and message of a picture; null for chats that are not stored. */
function placeOf({ metadata }: BuiltInCall): { chatId: string | null; messageId: string | null } {
  const [chatId, messageId] = [textOrNull(metadata['chat_id']), textOrNull(metadata['message_id'])]
  return chatId === null || /^(local|temporary):/.test(chatId)
    ? { chatId: null, messageId: null }
    : { chatId, messageId }
}

async function make(
  images: PictureParts['images'],
  call: BuiltInCall,
  request: Parameters<Images['make']>[0],
): Promise<string> {
  const isEdit = request.images !== undefined
  const told = tellPictures((event) => call.emit(event), isEdit)
  told.begin()
  let made: Picture[]
  try {
    made = await images.make(
      { ...request, ...wantedBy(call, isEdit) },
      {
        userId: call.caller.userId,
        ...placeOf(call),
        signal: call.signal,
        onProgress: told.progress,
      },
    )
  } catch (error) {
    if (call.signal.aborted) told.stop()
    else told.fail(error instanceof Error ? error.message : String(error))
    throw error
  }
  call.emit({ type: 'files', data: { files: made.map(toPictureFile) } })
  told.end(made.length)
  const message = 'The person sees the picture beside your answer. Do not repeat its address.'
  return JSON.stringify({ status: 'success', message, images: made.map(({ url }) => ({ url })) })
}

/** Returns the pictures of the last question that includes any. */
function attachedTo({ messages = [] }: BuiltInCall): string[] {
  const parts = messages
    .toReversed()
    .find(({ role, content }) => role === 'user' && Array.isArray(content) && content.some(isImage))
  return Array.isArray(parts?.content)
    ? (parts.content as unknown[]).filter(isImage).map((part) => part.image_url.url)
    : []
}

const isImage = (part: unknown): part is { image_url: { url: string } } =>
  isRecord(part) && isRecord(part['image_url']) && typeof part['image_url']['url'] === 'string'

function listOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.filter((each): each is string => typeof each === 'string' && each !== '')
}

const generate = ({ images }: PictureParts): BuiltInToolFunction => ({
  name: 'generate_image',
  description: 'Makes a picture of what a text describes and shows it to the person.',
  properties: { prompt: PROMPT, size: SIZE },
  required: ['prompt'],
  isOffered: (caller) => images.mayMake(caller),
  async run(args, call) {
    if (!(await images.mayMake(call.caller)))
      throw new Error('Pictures cannot be made at the moment; an administrator can switch it on.')
    return make(images, call, { prompt: textOf(args, 'prompt'), size: textOrNull(args['size']) })
  },
})

const edit = ({ images }: PictureParts): BuiltInToolFunction => ({
  name: 'edit_image',
  description:
    'Makes a picture from others: changes what a text says, and shows the result to the person.',
  properties: {
    prompt: { type: 'string', description: 'What is to be different' },
    image_urls: PICTURES,
  },
  required: ['prompt'],
  isOffered: (caller) => images.mayEdit(caller),
  async run(args, call) {
    if (!(await images.mayEdit(call.caller)))
      throw new Error('Pictures cannot be edited here; an administrator can switch it on.')
    const named = listOf(args['image_urls'])
    const chosen = named.length > 0 ? named : attachedTo(call)
    if (chosen.length === 0) throw new Error('There is no picture to edit. Name its address.')
    return make(images, call, { prompt: textOf(args, 'prompt'), images: chosen })
  },
})

/** Creates the tool that generates and edits pictures. */
export const picturesTool = (parts: PictureParts): BuiltInTool => ({
  id: 'builtin:images',
  name: 'Pictures',
  description: 'Makes and edits pictures.',
  isOffered: async (caller) =>
    (await parts.images.mayMake(caller)) || (await parts.images.mayEdit(caller)),
  functions: [generate(parts), edit(parts)],
})
