import { IMAGE_ENGINES } from '#contract/images.ts'
import { badRequest } from '../lib/errors.ts'
import type { ImagesSettings } from './images-settings.ts'
import {
  listAutomatic1111Models,
  makeWithAutomatic1111,
  readOptions,
  type Automatic1111Server,
} from './engines/automatic1111.ts'
import { makeWithChat } from './engines/chat.ts'
import { checkComfy, listComfyModels, makeWithComfy, type ComfyServer } from './engines/comfyui.ts'
import type { MakePictures } from './engines/engine.ts'
import type { EngineClient } from './engines/engine-client.ts'
import { makeWithGemini, type GeminiEndpoint } from './engines/gemini.ts'
import { makeWithOpenAi, type Endpoint } from './engines/openai.ts'

/** Making new images or editing existing ones; each purpose has its own engine. */
export type Purpose = 'make' | 'edit'

const prefixOf = (purpose: Purpose) => (purpose === 'make' ? 'IMAGES' : 'IMAGES_EDIT')
const comfyPrefixOf = (purpose: Purpose) => (purpose === 'make' ? 'COMFYUI' : 'IMAGES_EDIT_COMFYUI')

export const engineNameOf = (settings: ImagesSettings, purpose: Purpose): string =>
  settings.get(purpose === 'make' ? 'IMAGE_GENERATION_ENGINE' : 'IMAGE_EDIT_ENGINE')

function toEndpoint(settings: ImagesSettings, purpose: Purpose): Endpoint {
  const prefix = prefixOf(purpose)
  return {
    base: settings.get(`${prefix}_OPENAI_API_BASE_URL`),
    key: settings.get(`${prefix}_OPENAI_API_KEY`),
    version: settings.get(`${prefix}_OPENAI_API_VERSION`),
    params: purpose === 'make' ? settings.get('IMAGES_OPENAI_API_PARAMS') : {},
  }
}

function toGemini(settings: ImagesSettings, purpose: Purpose): GeminiEndpoint {
  const prefix = prefixOf(purpose)
  return {
    base: settings.get(`${prefix}_GEMINI_API_BASE_URL`),
    key: settings.get(`${prefix}_GEMINI_API_KEY`),
    method: purpose === 'make' ? settings.get('IMAGES_GEMINI_ENDPOINT_METHOD') : '',
  }
}

/** One server for both purposes: there is only one URL to set. */
const toAutomatic1111 = (settings: ImagesSettings): Automatic1111Server => ({
  base: settings.get('AUTOMATIC1111_BASE_URL'),
  auth: settings.get('AUTOMATIC1111_API_AUTH'),
  params: settings.get('AUTOMATIC1111_PARAMS'),
  steps: settings.get('IMAGE_STEPS'),
})

function toComfy(settings: ImagesSettings, purpose: Purpose): ComfyServer {
  const prefix = comfyPrefixOf(purpose)
  return {
    base: settings.get(`${prefix}_BASE_URL`),
    key: settings.get(`${prefix}_API_KEY`),
    workflow: settings.get(`${prefix}_WORKFLOW`),
    nodes: settings.get(`${prefix}_WORKFLOW_NODES`),
    steps: settings.get('IMAGE_STEPS'),
  }
}

const unknownEngine = (name: string) =>
  badRequest(
    name === ''
      ? 'No image engine is chosen. An administrator can choose one.'
      : `There is no image engine "${name}". An administrator can choose one of ${IMAGE_ENGINES.join(', ')}.`,
    { code: 'image_engine_failed' },
  )

/** Returns the engine an administrator selected, with its server; throws 400 if there is none. */
export function chooseEngine(settings: ImagesSettings, purpose: Purpose): MakePictures {
  const name = engineNameOf(settings, purpose)
  switch (name) {
    case 'openai':
      return makeWithOpenAi(toEndpoint(settings, purpose))
    case 'chat':
      return makeWithChat(toEndpoint(settings, purpose))
    case 'automatic1111':
      return makeWithAutomatic1111(toAutomatic1111(settings))
    case 'comfyui':
      return makeWithComfy(toComfy(settings, purpose))
    case 'gemini':
      return makeWithGemini(toGemini(settings, purpose))
    default:
      throw unknownEngine(name)
  }
}

const OPENAI_MODELS = [
  { id: 'dall-e-2', name: 'DALL·E 2' },
  { id: 'dall-e-3', name: 'DALL·E 3' },
  { id: 'gpt-image-1', name: 'GPT-IMAGE 1' },
  { id: 'gpt-image-1.5', name: 'GPT-IMAGE 1.5' },
]
const GEMINI_MODELS = [{ id: 'imagen-3.0-generate-002', name: 'imagen-3.0 generate-002' }]

/**
 * Returns the models of the engine that makes images: queried if its server lists them, else the
 * known ones.
 */
export async function listModels(
  settings: ImagesSettings,
  client: EngineClient,
  signal: AbortSignal,
): Promise<{ id: string; name: string }[]> {
  const name = engineNameOf(settings, 'make')
  if (name === 'automatic1111')
    return listAutomatic1111Models(toAutomatic1111(settings), client, signal)
  if (name === 'comfyui') return listComfyModels(toComfy(settings, 'make'), client, signal)
  if (name === 'gemini') return GEMINI_MODELS
  const own = settings.get('IMAGE_GENERATION_MODEL')
  if (name === 'chat') return own === '' ? [] : [{ id: own, name: own }]
  return OPENAI_MODELS
}

/**
 * Checks that self-hosted servers are reachable. Engines that cost money or need a key are not
 * called, but must have a URL.
 */
export async function verifyEngine(
  settings: ImagesSettings,
  client: EngineClient,
  signal: AbortSignal,
): Promise<void> {
  const name = engineNameOf(settings, 'make')
  if (name === 'automatic1111') await readOptions(toAutomatic1111(settings), client, signal)
  else if (name === 'comfyui') await checkComfy(toComfy(settings, 'make'), client, signal)
  else if (name === 'gemini') client.check(toGemini(settings, 'make').base)
  else if (name === 'openai' || name === 'chat') client.check(toEndpoint(settings, 'make').base)
  else throw unknownEngine(name)
}
