import { IMAGE_SECRETS, type ImagesConfig } from '#contract/images.ts'
import type { SettingValue } from '#contract/settings.ts'
import { SECRET_MASK } from '#contract/tool-servers.ts'
import { badRequest } from '../lib/errors.ts'
import { isRecord } from '../lib/is-record.ts'
import type { ImagesSettings } from './images-settings.ts'

const SECRETS: ReadonlySet<string> = new Set(IMAGE_SECRETS)
const WORKFLOWS = ['COMFYUI_WORKFLOW', 'IMAGES_EDIT_COMFYUI_WORKFLOW'] as const
const NODES = ['COMFYUI_WORKFLOW_NODES', 'IMAGES_EDIT_COMFYUI_WORKFLOW_NODES'] as const
const PARAMS = ['IMAGES_OPENAI_API_PARAMS', 'AUTOMATIC1111_PARAMS'] as const
const SIZES = ['IMAGE_SIZE', 'IMAGE_EDIT_SIZE'] as const
const SWITCHES = [
  'ENABLE_IMAGE_GENERATION',
  'ENABLE_IMAGE_PROMPT_GENERATION',
  'ENABLE_IMAGE_EDIT',
] as const
const TEXTS = [
  'IMAGE_GENERATION_ENGINE',
  'IMAGE_GENERATION_MODEL',
  'IMAGES_OPENAI_API_BASE_URL',
  'IMAGES_OPENAI_API_VERSION',
  'AUTOMATIC1111_BASE_URL',
  'COMFYUI_BASE_URL',
  'IMAGES_GEMINI_API_BASE_URL',
  'IMAGES_GEMINI_ENDPOINT_METHOD',
  'IMAGE_EDIT_ENGINE',
  'IMAGE_EDIT_MODEL',
  'IMAGES_EDIT_OPENAI_API_BASE_URL',
  'IMAGES_EDIT_OPENAI_API_VERSION',
  'IMAGES_EDIT_GEMINI_API_BASE_URL',
  'IMAGES_EDIT_COMFYUI_BASE_URL',
  ...SIZES,
] as const

/** Parses width and height as users write them; null for anything else. */
export function parseSize(
  size: string,
): { readonly width: number; readonly height: number } | null {
  const found = /^(\d{1,5})x(\d{1,5})$/.exec(size.trim())
  const [width, height] = [Number(found?.[1]), Number(found?.[2])]
  return width > 0 && height > 0 ? { width, height } : null
}

/** True for models that can choose the size themselves. */
export const knowsAuto = (model: string): boolean => /^gpt-image/i.test(model.trim())

/** Returns the configuration as its form shows it, without the keys. */
export function readConfig(settings: ImagesSettings): ImagesConfig {
  const texts = TEXTS.map((key) => [key, settings.get(key)])
  const switches = SWITCHES.map((key) => [key, settings.get(key)])
  const objects = [...NODES, ...PARAMS].map((key) => [key, settings.get(key)])
  const secrets = IMAGE_SECRETS.map((key) => [key, settings.get(key) === '' ? '' : SECRET_MASK])
  const workflows = WORKFLOWS.map((key) => {
    const workflow = settings.get(key)
    return [key, Object.keys(workflow).length === 0 ? '' : JSON.stringify(workflow, null, 2)]
  })
  const steps = ['IMAGE_STEPS', settings.get('IMAGE_STEPS')]
  return Object.fromEntries([
    ...texts,
    ...switches,
    ...objects,
    ...secrets,
    ...workflows,
    steps,
  ]) as ImagesConfig
}

const fault = (message: string) => badRequest(message, { code: 'invalid_setting' })

function checkSize(key: string, size: string | null, model: string): void {
  if (size === null) throw fault(`${key} must be a size such as 512x512, or empty.`)
  const text = size.trim()
  if (text === '' || parseSize(text) || (text === 'auto' && knowsAuto(model))) return
  throw fault(
    text === 'auto'
      ? `${key} can be auto only with models that choose the size themselves, such as gpt-image-1.`
      : `${key} must be a size such as 512x512, or empty.`,
  )
}

/** Accepts an object or its JSON text. */
function toObjectText(key: string, given: unknown): string {
  try {
    const text = typeof given === 'string' ? given.trim() : ''
    const value: unknown =
      typeof given === 'string' ? JSON.parse(text === '' ? '{}' : text) : (given ?? {})
    if (isRecord(value)) return JSON.stringify(value)
  } catch {
    // Reported below.
  }
  throw fault(`${key} must be a JSON object.`)
}

/** Stores a configuration; throws 400 with an error message if it cannot work. */
export async function updateConfig(
  settings: ImagesSettings,
  sent: ImagesConfig,
): Promise<ImagesConfig> {
  checkSize('IMAGE_SIZE', sent.IMAGE_SIZE, sent.IMAGE_GENERATION_MODEL)
  checkSize('IMAGE_EDIT_SIZE', sent.IMAGE_EDIT_SIZE, sent.IMAGE_EDIT_MODEL)
  const steps = sent.IMAGE_STEPS
  if (steps === null || !Number.isInteger(steps) || steps < 0)
    throw fault('IMAGE_STEPS must be a whole number from 0.')
  const changes: Record<string, SettingValue> = { IMAGE_STEPS: steps }
  for (const key of [...TEXTS, ...SWITCHES]) changes[key] = sent[key]
  for (const key of [...WORKFLOWS, ...PARAMS]) changes[key] = toObjectText(key, sent[key])
  for (const key of NODES) changes[key] = JSON.stringify(sent[key])
  for (const key of SECRETS as ReadonlySet<(typeof IMAGE_SECRETS)[number]>) {
    if (sent[key] !== SECRET_MASK) changes[key] = sent[key] ?? ''
  }
  await settings.update(changes)
  return readConfig(settings)
}
