/** Engines that generate or edit pictures. */
export type EngineKind = 'openai' | 'chat' | 'automatic1111' | 'comfyui' | 'gemini'

/** Setting keys of one engine. */
export interface EngineKeys {
  readonly url: string
  /** Key of a secret setting. */
  readonly key: string
  readonly version?: string
  readonly params?: string
  readonly method?: string
  readonly workflow?: string
  readonly nodes?: string
}

/** The two purposes of picture engines, each with its own engines. */
export interface Purpose {
  readonly name: 'making' | 'editing'
  readonly isOn: string
  readonly engine: string
  readonly model: string
  readonly size: string
  /** Key of the steps setting, used only by engines that count steps. */
  readonly steps: string | null
  readonly engines: Readonly<Partial<Record<EngineKind, EngineKeys>>>
}

const endpoint: EngineKeys = Object.freeze({
  url: 'IMAGES_OPENAI_API_BASE_URL',
  key: 'IMAGES_OPENAI_API_KEY',
  version: 'IMAGES_OPENAI_API_VERSION',
  params: 'IMAGES_OPENAI_API_PARAMS',
})

export const MAKING: Purpose = Object.freeze({
  name: 'making',
  isOn: 'ENABLE_IMAGE_GENERATION',
  engine: 'IMAGE_GENERATION_ENGINE',
  model: 'IMAGE_GENERATION_MODEL',
  size: 'IMAGE_SIZE',
  steps: 'IMAGE_STEPS',
  engines: {
    openai: endpoint,
    chat: endpoint,
    automatic1111: {
      url: 'AUTOMATIC1111_BASE_URL',
      key: 'AUTOMATIC1111_API_AUTH',
      params: 'AUTOMATIC1111_PARAMS',
    },
    comfyui: {
      url: 'COMFYUI_BASE_URL',
      key: 'COMFYUI_API_KEY',
      workflow: 'COMFYUI_WORKFLOW',
      nodes: 'COMFYUI_WORKFLOW_NODES',
    },
    gemini: {
      url: 'IMAGES_GEMINI_API_BASE_URL',
      key: 'IMAGES_GEMINI_API_KEY',
      method: 'IMAGES_GEMINI_ENDPOINT_METHOD',
    },
  },
})

export const EDITING: Purpose = Object.freeze({
  name: 'editing',
  isOn: 'ENABLE_IMAGE_EDIT',
  engine: 'IMAGE_EDIT_ENGINE',
  model: 'IMAGE_EDIT_MODEL',
  size: 'IMAGE_EDIT_SIZE',
  steps: null,
  engines: {
    openai: {
      url: 'IMAGES_EDIT_OPENAI_API_BASE_URL',
      key: 'IMAGES_EDIT_OPENAI_API_KEY',
      version: 'IMAGES_EDIT_OPENAI_API_VERSION',
    },
    comfyui: {
      url: 'IMAGES_EDIT_COMFYUI_BASE_URL',
      key: 'IMAGES_EDIT_COMFYUI_API_KEY',
      workflow: 'IMAGES_EDIT_COMFYUI_WORKFLOW',
      nodes: 'IMAGES_EDIT_COMFYUI_WORKFLOW_NODES',
    },
    gemini: { url: 'IMAGES_EDIT_GEMINI_API_BASE_URL', key: 'IMAGES_EDIT_GEMINI_API_KEY' },
  },
})

export const kindsOf = ({ engines }: Purpose): readonly EngineKind[] =>
  Object.keys(engines) as EngineKind[]

/** True for self-hosted engines: they count steps, and their availability can be checked. */
export const isOwnServer = (kind: EngineKind | null): boolean =>
  kind === 'automatic1111' || kind === 'comfyui'

/** Returns the keys of all settings in an engine's form. */
export function keysOf(purpose: Purpose, kind: EngineKind | null): readonly string[] {
  const { engine, model, size, steps, engines } = purpose
  const own = kind === null ? [] : Object.values(engines[kind] ?? {})
  return [engine, model, size, ...(steps !== null && isOwnServer(kind) ? [steps] : []), ...own]
}
