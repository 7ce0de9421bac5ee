import type { ChatCompletion } from '#contract/completions.ts'
import type {
  GenerationKind,
  GenerationRequest,
  generationEndpoints,
} from '#contract/generation.ts'
import type { CallNotes } from '../../lib/serving/call-notes.ts'
import { badRequest, notFound, ServiceError } from '../../lib/errors.ts'
import type { HttpCall, Caller } from '../../lib/http.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import type { ResolvedModel } from '../../extensions/resolved-model.ts'
import { stripGatewayFields } from '../../providers/index.ts'
import { streamFrames } from '../deliver/answer-stateless.ts'
import { noFindings } from '../exchange.ts'
import { filterStream } from '../generate/filter-stream.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { builtInNames } from '../prepare/template-names.ts'
import { askTaskModel, createTaskOrigin, saidBy } from './ask-task-model.ts'
import { fillTemplate, lastQuestion } from './fill-template.ts'
import { filterTask } from './filter-task.ts'
import { KINDS } from './kinds.ts'

interface GenerationCall {
  readonly body: GenerationRequest
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly notes: CallNotes | null
}

/**
 * Generates one text and returns it as a completion; a kind that is switched off responds in the
 * way its scripts expect.
 */
export async function runGeneration(
  parts: CompletionsParts,
  kind: Exclude<GenerationKind, 'moa'>,
  { body, caller, signal, notes }: GenerationCall,
): Promise<ChatCompletion | { detail: string }> {
  const definition = KINDS[kind]
  const switchKey = definition.switchKey?.(body.type)
  if (switchKey !== undefined && !parts.settings.get(switchKey)) {
    const detail =
      'This kind of generation is turned off. An administrator can turn it on in the settings.'
    if (definition.refusesWhenOff) throw badRequest(detail, { code: 'feature_off' })
    return { detail }
  }
  const messages = body.messages ?? []
  const question = body.prompt ?? lastQuestion(messages)
  if (kind === 'auto') requireShort(parts, question)
  const resolved = await resolveOrMissing(parts, caller, body.model)
  const values = {
    messages,
    prompt: question,
    type: body.type,
    names: builtInNames(caller),
  }
  const prompt = fillTemplate(definition.template(parts.settings), values)
  const said = saidBy(
    await askTaskModel(parts, { caller, resolved, prompt, task: definition.task, signal, notes }),
  )
  return toCompletion(body.model, definition.toText(said, { question }))
}

function requireShort({ settings }: CompletionsParts, text: string): void {
  const longest = settings.get('AUTOCOMPLETE_GENERATION_INPUT_MAX_LENGTH')
  if (longest >= 0 && text.length > longest)
    throw badRequest(`Only texts of at most ${longest} characters are completed.`)
}

/** These endpoints answer 404 for a model that does not exist. */
async function resolveOrMissing(
  { models }: CompletionsParts,
  caller: Caller,
  id: string,
): Promise<ResolvedModel> {
  try {
    return await models.resolve(caller, id)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'model_not_found')
      throw notFound(error.message, { code: error.code })
    throw error
  }
}

const toCompletion = (model: string, content: string): ChatCompletion => ({
  id: `chatcmpl-${newId()}`,
  object: 'chat.completion',
  created: nowSeconds(),
  model,
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
})

/** Merges the answers of several models into one, written by the model the caller names. */
export async function mergeAnswers(
  parts: CompletionsParts,
  call: HttpCall<typeof generationEndpoints.moa>,
): Promise<unknown> {
  const { body, caller, signal, notes } = call
  const resolved = await resolveOrMissing(parts, caller, body.model)
  const names = builtInNames(caller)
  const values = {
    messages: body.messages ?? [],
    prompt: body.prompt,
    responses: body.responses,
    names,
  }
  const prompt = fillTemplate(KINDS.moa.template(parts.settings), values)
  const request = {
    model: resolved.model.id,
    messages: [{ role: 'user', content: prompt }],
    stream: body.stream === true,
  }
  const origin = createTaskOrigin(parts, caller, {
    sent: request,
    task: 'moa_response_generation',
    signal,
  })
  try {
    const filtered = await filterTask(parts, origin, resolved)
    const asked = {
      model: resolved.model.id,
      body: stripGatewayFields(filtered.body),
      signal,
      origin,
      notes,
    }
    if (request.stream) {
      const frames = filterStream(resolved.provider.stream(asked), filtered.stream)
      return await streamFrames({
        call,
        request,
        exchange: { resolved, findings: noFindings() },
        frames,
      })
    }
    return await resolved.provider.complete(asked)
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}
