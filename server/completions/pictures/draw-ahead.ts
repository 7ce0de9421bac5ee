import type { ChatCompletionRequest } from '#contract/completions.ts'
import { readImageOptions, tellPictures, toPictureFile, toWanted } from '../../images/index.ts'
import { ServiceError } from '../../lib/errors.ts'
import { whenReady } from '../../lib/timing/when-ready.ts'
import { bringsTools } from '../deliver/function-calls.ts'
import type { Exchange } from '../exchange.ts'
import { askTaskModel, saidBy } from '../follow-up/ask-task-model.ts'
import { fillTemplate, lastQuestion } from '../follow-up/fill-template.ts'
import { KINDS } from '../follow-up/kinds.ts'
import { readField } from '../follow-up/read-json.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { builtInNames } from '../prepare/template-names.ts'
import { withSystem } from '../prepare/with-system.ts'
import { callsNatively } from '../tools/calls-natively.ts'
import { imagesOfContent } from '../../lib/images/image-parts.ts'

type Request = ChatCompletionRequest

export const PICTURE_TOOL = 'builtin:images'

/**
 * Returns true if an answer may generate images: requested by the request or a filter, switched on,
 * and permitted.
 */
const isDrawing = (
  { images }: CompletionsParts,
  { caller }: Exchange,
  { features }: Request,
): boolean | Promise<boolean> =>
  Boolean(features?.['image_generation']) &&
  images !== undefined &&
  images.mayMake(caller).then((may) => may || images.mayEdit(caller))

/** Returns true if the model requests the images itself. */
const asksItself = (exchange: Exchange): boolean =>
  callsNatively(exchange) && !bringsTools(exchange.sent)

/** Adds the image generation tool to the request, for models that call tools. */
export function offerPictures(
  parts: CompletionsParts,
  exchange: Exchange,
  request: Request,
): Request | Promise<Request> {
  return whenReady(Boolean(parts.tools) && isDrawing(parts, exchange, request), (draws) => {
    if (!draws || !asksItself(exchange)) return request
    const ids = request.tool_ids ?? []
    return ids.includes(PICTURE_TOOL) ? request : { ...request, tool_ids: [...ids, PICTURE_TOOL] }
  })
}

/**
 * Generates the image a question asks for before a model that calls no tools itself answers, and
 * informs the model of it. Images attached to the question are edited if that is switched on.
 * Failures are shown in the status line, which always ends.
 */
export function drawAhead(
  parts: CompletionsParts,
  exchange: Exchange,
  request: Request,
): Request | Promise<Request> {
  return whenReady(isDrawing(parts, exchange, request), (draws) =>
    draws && !asksItself(exchange) ? draw(parts, exchange, request) : request,
  )
}

const MADE =
  'A picture was made for this question, and the person sees it beside your answer. Say in a sentence what it shows.'
const FAILED =
  'A picture was asked for, but it could not be made. Tell the person so, with this reason:'

async function draw(
  parts: CompletionsParts,
  exchange: Exchange,
  request: Request,
): Promise<Request> {
  const { caller, signal, chatId, messageId, turn } = exchange
  const images = parts.images!
  const attached = imagesOfContent(
    request.messages.findLast(({ role }) => role === 'user')?.content,
  )
  const isEdit = attached.length > 0 && (await images.mayEdit(caller))
  const told = tellPictures((event) => exchange.tell(event), isEdit)
  if (!isEdit && !(await images.mayMake(caller))) return request
  told.begin()
  try {
    const prompt = await choosePrompt(parts, exchange, { request, isEdit })
    const wanted = toWanted(readImageOptions(request.features), isEdit)
    const isStored = turn?.temporarySession === null
    const made = await images.make(
      { prompt, ...wanted, ...(isEdit && { images: attached }) },
      {
        userId: caller.userId,
        chatId: isStored ? chatId : null,
        messageId: isStored ? messageId : null,
        signal,
        onProgress: (done, total) => told.progress(done, total),
      },
    )
    exchange.tell({ type: 'files', data: { files: made.map(toPictureFile) } })
    told.end(made.length)
    const addresses = made.map(({ url }) => url).join(', ')
    // An API client sees no message with files, so the text includes their URLs.
    const where = turn === null ? ` It is at ${addresses}.` : ''
    return { ...request, messages: withSystem(request.messages, `${MADE}${where}`) }
  } catch (error) {
    if (signal.aborted) {
      told.stop()
      throw error
    }
    if (!(error instanceof ServiceError)) {
      told.fail('The image could not be created.')
      throw error
    }
    told.fail(error.message)
    return { ...request, messages: withSystem(request.messages, `${FAILED} ${error.message}`) }
  }
}

/** Returns the prompt as the task model phrases it, otherwise the question itself. */
async function choosePrompt(
  parts: CompletionsParts,
  { caller, resolved, signal }: Exchange,
  { request: { messages }, isEdit }: { request: Request; isEdit: boolean },
): Promise<string> {
  const question = lastQuestion(messages) || 'A picture'
  if (isEdit || !parts.settings.get('ENABLE_IMAGE_PROMPT_GENERATION')) return question
  const { template, toText, task } = KINDS.image_prompt
  const prompt = fillTemplate(template(parts.settings), {
    messages,
    names: builtInNames(caller),
  })
  try {
    const said = saidBy(await askTaskModel(parts, { caller, resolved, prompt, task, signal }))
    const worded = said === '' ? null : readField(toText(said, { question }), 'prompt')
    return typeof worded === 'string' && worded.trim() !== '' ? worded : question
  } catch (error) {
    if (signal.aborted) throw error
    parts.log.info(
      { error },
      'the prompt of a picture could not be generated; the question is used instead',
    )
    return question
  }
}
